import {
  type Answer,
  AskboxError,
  type Asker,
  type AskerInfo,
  askedBack,
  type Clock,
  type Handover,
  isAskboxError,
  type Log,
  limits,
  type Platform,
  parseAsk,
  programReply,
} from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { questionsOfForm } from "./forms/questions-of-form.ts";
import {
  byMetaKey,
  ElicitationNotSupportedError,
  type ElicitationOptions,
  type ElicitationPath,
  ElicitationTimeoutError,
  type ElicitedBy,
  type ElicitQuestion,
  type UncheckedResult,
  withPage,
} from "./question.ts";
import type { ElicitContext } from "./sdk.ts";
import type { CallContext, DeclaredElicitation, McpCaller } from "./tool-call/tool-call.ts";

/**
 * The ways to ask a person from inside a tool: `choosePath` takes the first that is allowed and possible for this client.
 *
 * 1. In the client's own form: as a request of the server (`askInClient`), or since 2026-07-28 as part of the result (`inputRequestOf`).
 * 2. In the askbox inbox (`askInInbox`), where a person may ask back, and be replied to.
 * 3. Through the model (`pendingResult`), which puts the question and calls `sendElicitationResult`; never for what only a person may answer.
 *
 * Silence is no answer: a question that nobody answers in time throws `ElicitationTimeoutError`.
 */

/** What is to be asked. */
interface Wanted {
  mode: keyof DeclaredElicitation;
  /** Whether the model may not pass it on. */
  person: boolean;
}

/**
 * The way to ask this caller's person: the first that is allowed and possible. If there is an inbox, the model is only used if the author
 * allows it. The client's declared capabilities decide whether its form can be used; `clients` only changes the order. Undefined if there
 * is no way.
 */
export function choosePath(
  { paths, clients = {}, asker }: Pick<ElicitationOptions<never>, "paths" | "clients" | "asker">,
  { client, declared }: Pick<McpCaller, "client" | "declared">,
  { mode, person }: Wanted,
): ElicitationPath | undefined {
  const allowed: readonly ElicitationPath[] = paths ?? ["client", asker === undefined ? "model" : "inbox"];
  const can: Readonly<Record<ElicitationPath, boolean>> = {
    // A page's address can also be shown in a form.
    client: declared.form || (mode === "url" && declared.url),
    inbox: asker !== undefined,
    model: !person,
  };
  const better = Object.hasOwn(clients, client.name) ? clients[client.name] : undefined;
  const order = better !== undefined && allowed.includes(better) ? [better, ...allowed] : allowed;
  return order.find((path) => can[path]);
}

/** How much longer the SDK's own timeout is, in ms: its default would end the question after a minute. */
const grace = 60_000;

/** Asks with a server request (revisions up to 2025-11-25), and waits for its response. Throws `ElicitationTimeoutError`, `ABORTED`. */
export async function askInClient(
  call: CallContext,
  question: ElicitQuestion,
  declared: DeclaredElicitation,
  clock: Clock,
): Promise<UncheckedResult> {
  const { ttl } = question;
  const over = new AbortController();
  const cancel = clock.setTimer(ttl, () => over.abort());
  const signal = AbortSignal.any([call.signal, over.signal]);
  try {
    return resultOf(await call.show(paramsOf(question, declared), { signal, timeout: ttl + grace }));
  } catch (cause) {
    if (call.signal.aborted) throw new AskboxError("ABORTED", "The call was cancelled before the person had answered.", { cause });
    if (over.signal.aborted) throw new ElicitationTimeoutError(ttl, { cause });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ElicitationNotSupportedError(`The client could not show the question: ${reason}.`, { cause });
  } finally {
    cancel();
  }
}

function paramsOf(question: ElicitQuestion, declared: DeclaredElicitation): Record<string, unknown> {
  const { message, page } = question;
  if (page !== undefined && declared.url) return { mode: "url", message, ...page };
  return { mode: "form", message: withPage(question), requestedSchema: question.form().form };
}

/** The same question as part of a result (revisions since 2026-07-28). */
export function inputRequestOf(question: ElicitQuestion, declared: DeclaredElicitation): { method: string; params: object } {
  // A visit has no id there: the request's key identifies it.
  const { elicitationId: _, ...params } = paramsOf(question, declared);
  return { method: "elicitation/create", params };
}

/** A client's response, not validated before. Anything that is not clearly an answer is a dismissal. */
export function resultOf(response: unknown): UncheckedResult {
  const { action, content, _meta } = Object(response) as Record<string, unknown>;
  const by: ElicitedBy = Object(_meta)[byMetaKey] === "none" ? "none" : "client";
  return action === "accept" ? { status: "accept", content, by } : { status: action === "decline" ? "decline" : "cancel", by };
}

/** The minimum time for a person after a reply, in ms, as in the inbox itself. */
const timeAfterMessage = 300_000;

/** What asking there needs of its server. */
interface InboxHost {
  options: Pick<ElicitationOptions, "asker" | "identity">;
  platform: Platform;
  log: Log;
}

/**
 * Asks in the askbox inbox and waits; what a person asks back is replied to at once. Throws `ElicitationTimeoutError`, `ABORTED` (the
 * questions stay open), and what the asker throws.
 */
export async function askInInbox(
  host: InboxHost,
  ctx: ElicitContext,
  { caller: { client }, signal, question }: { caller: McpCaller; signal: AbortSignal; question: ElicitQuestion },
): Promise<UncheckedResult> {
  const { asker: inbox, identity } = host.options;
  if (inbox === undefined) throw new AskboxError("INTERNAL", "The inbox was chosen without an asker.");
  const port = typeof inbox === "function" ? await inbox(ctx) : inbox;
  const asker = { client, ...(await identity?.(ctx)) };
  const { clock, ids } = host.platform;
  let endsAt = clock.monotonic() + question.ttl;
  const timeLeft = () => Math.max(1, Math.ceil(endsAt - clock.monotonic()));
  const { parts, content } = questionsOfForm(withPage(question), question.form().form);
  const answers: Answer[] = [];
  let by: ElicitedBy = "none";
  const settled = async (part: (typeof parts)[number]) => {
    const maxWait = timeLeft();
    // The inbox has a minimum and a maximum timeout; this one is enforced here.
    const timeout = Math.min(Math.max(maxWait, limits.timeout.min), limits.timeout.max);
    let asked = await port.ask(parseAsk({ ...part, timeout }, { ids }), { asker, signal, maxWait, earlier: false });
    while (asked.session.state === "pending" && askedBack(asked.session).length > 0) {
      await delivered(host, asked);
      const reply = (await question.onAskedBack?.(askedBack(asked.session))) ?? programReply;
      endsAt = Math.max(endsAt, clock.monotonic() + timeAfterMessage);
      asked = await port.resume(asked.session.id, { asker, reply, signal, maxWait: timeLeft(), earlier: false });
    }
    const { id } = asked.session;
    const handover = asked.session.state === "pending" ? await withdrawn(port, asker, { id, ttl: question.ttl }) : asked;
    await delivered(host, handover);
    return handover.session.context.outcome;
  };
  for (const part of parts) {
    let outcome = await settled(part);
    while (outcome?.kind === "timedOut" && timeLeft() > 1) outcome = await settled(part);
    if (outcome?.kind === "cancelled") return cancelled(outcome);
    if (outcome?.kind !== "answered") throw new ElicitationTimeoutError(question.ttl);
    answers.push(...outcome.answers);
    by = outcome.by.surface as ElicitedBy;
  }
  const filled = content(answers);
  return filled === undefined ? { status: "decline", by } : { status: "accept", content: filled, by };
}

/** The time is up: withdraws the questions, unless they are already settled. */
async function withdrawn(port: Asker, asker: AskerInfo, { id, ttl }: { id: string; ttl: number }): Promise<Handover> {
  try {
    await port.withdraw(id, { asker, reason: "The time to answer is over." });
  } catch (error) {
    // If it is already settled, that counts.
    if (isAskboxError(error, "SESSION_CLOSED")) return port.resume(id, { asker, earlier: false });
    throw error;
  }
  throw new ElicitationTimeoutError(ttl);
}

/** A person who gives a reason has decided; one who only closes the questions has not. */
function cancelled({ reason, by }: { reason?: string | undefined; by: { surface: string } }): UncheckedResult {
  if (by.surface === "asker") throw new AskboxError("ABORTED", "The question was withdrawn before anybody answered.");
  return { status: reason === undefined ? "cancel" : "decline", by: by.surface as ElicitedBy };
}

/** The handler has it as soon as this returns; if recording fails, only the inbox's records are affected. */
async function delivered(host: InboxHost, handover: Handover): Promise<void> {
  try {
    await handover.ack();
  } catch (error) {
    const sessionId = handover.session.id;
    host.log("warn", "A delivery could not be recorded; the outcome may be delivered again", { sessionId, error: String(error) });
  }
}

/** The contract's own wording (`elicitation`, "Fallback Response Format"). */
const instructions = "Call sendElicitationResult tool after collecting user input";

/**
 * A result that makes the model pass the question on to its person. Models only see the text, so it contains everything they need. If the
 * tool promises structured output, clients accept a result without it only as an error.
 */
export function pendingResult(
  elicitId: string,
  question: ElicitQuestion,
  { hasOutputSchema }: { hasOutputSchema: boolean },
): CallToolResult {
  const { page, schema } = question;
  const message = withPage(question);
  const { properties, additionalProperties } = schema;
  const isEmpty = properties !== undefined && Object.keys(Object(properties)).length === 0 && additionalProperties === undefined;
  const text = [
    "This tool requires user input to continue.",
    `**Question:** ${message}`,
    ...(isEmpty ? [] : [`**Expected content (JSON Schema):**\n\n\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``]),
    `Put the question to the user, word for word, and wait for the reply; never answer it yourself. Then call sendElicitationResult with:\n\n${[
      `- elicitId: ${JSON.stringify(elicitId)}`,
      `- action: "accept" when the user ${page === undefined ? "answers" : "has been to the page"}, "decline" when the user refuses, "cancel" when the user dismisses it`,
      ...(isEmpty
        ? []
        : ['- content: an object that fits the schema, only with "accept"; leave out what the user did not answer, whatever its default']),
    ].join("\n")}`,
  ].join("\n\n");
  return {
    content: [{ type: "text", text }],
    ...(hasOutputSchema ? { isError: true } : {}),
    _meta: { elicitationPending: { elicitId, message, schema, instructions } },
  };
}
