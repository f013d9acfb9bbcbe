import {
  type Answer,
  AskboxError,
  type Asker,
  type AskerInfo,
  askedBack,
  type Handover,
  isAskboxError,
  type Log,
  limits,
  type Platform,
  parseAsk,
  programReply,
} from "@askbox/core";
import { questionsOfForm } from "../forms/questions-of-form.ts";
import { ElicitationTimeoutError } from "../question/errors.ts";
import type { ElicitationOptions } from "../question/options.ts";
import { type ElicitQuestion, withPage } from "../question/question.ts";
import type { ElicitedBy, UncheckedResult } from "../question/result.ts";
import type { ElicitContext } from "../sdk.ts";
import type { McpCaller } from "../tool-call/tool-call.ts";

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
