import { type Answer, type Asker, askedBack, type Handover, type Platform, parseAsk, programReply, type SessionRecord } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import { parseAskJson } from "@askbox/core/schemas";
import type { ApprovalAsk, ApprovalSource, DecidedThere, Decision, FormAsk, FormOutcome, HeldAsk, SentFile } from "./approval.ts";
import { type Decided, type DecidedAsks, OpenAsk, type OpenAsks } from "./open-asks.ts";

/**
 * Asking a person what a client asks: an approval (`askApproval`) or a server's form (`askForm`), each as a held ask (`heldAsk`): its
 * session is open only while the client's request is.
 *
 * What can go wrong, and what becomes of it:
 * - The client hangs up, or decides on its own: the session is withdrawn, since any later answer would be useless. If the client says what a
 *   person decided there, that is recorded as the session's answer, unless another was first (`standing`).
 * - The hub ends: the session is withdrawn, unless its client asks again under the same name (`requestId`), and finds it as it was.
 * - The client shows no prompt of its own meanwhile, and no inbox is open: the request goes back to the client after 5 s.
 * - Hook and prompt tool ask the same at once: the second waits for the decision of the first.
 * - A person declines, or the answer is none that allows: nothing is allowed. Only a person, or their grant, can do that.
 */

/** Milliseconds. How long an ask waits for an absent person if the client shows no prompt of its own in the meantime. */
const hiddenFor = 5_000;
/** Milliseconds. A person may extend it; a client's own prompt stays open in the meantime. */
const timeout = 1_800_000;

/** What an asker's `tool` is in the record of a held ask. Nobody waits for these once the process that held them is gone. */
export const heldTools = { ask: "approval", form: "elicitation" } as const;

/** Who asks. */
export interface Caller {
  /** Conversations of different owners are different ones. */
  owner: string;
  asker: Pick<Asker, "ask" | "resume" | "withdraw">;
  source: Pick<ApprovalSource, "client" | "ran" | "reply">;
  /** Aborts when the client no longer waits. */
  signal: AbortSignal;
  /** Aborts when the hub ends. */
  closing?: AbortSignal | undefined;
  /** Records what a person decided at the client. Rejects if the session can't be decided that way, or is over. */
  decideThere?(sessionId: string, decided: DecidedThere): Promise<unknown>;
}

/** What every ask shares. */
export interface AskContext {
  platform: Pick<Platform, "clock" | "ids">;
  /** Whether a person has an inbox open. */
  isWatched(): boolean;
  open: OpenAsks;
  decided: DecidedAsks;
}

/** What becomes of an ask that was settled: the response to its client, and what records that it was delivered. */
export interface Settled {
  reply: unknown;
  ack(): Promise<unknown>;
}

/** The sessions of one held ask. */
interface HeldSessions {
  /** Puts questions to a person, in the name of the ask's agent; resolves when a session is settled, or a person asks something back. */
  put(input: { title: string; questions: unknown[] }): Promise<Handover>;
  /** Replies to what a person asks back, and waits on. */
  reply(sessionId: string, text: string): Promise<Handover>;
  /** Gives other requests for the same this decision. */
  share(decided: Decided): void;
}

export const keyOf = (owner: string, name: string): string => JSON.stringify([owner, name]);

/** Asks for as long as the client waits, and withdraws what is pending as soon as an answer would be useless. */
async function heldAsk<Result>(
  { platform, isWatched, open, decided: known }: AskContext,
  { owner, asker, source, signal, closing, decideThere }: Caller,
  request: ApprovalAsk | FormAsk,
  ask: (sessions: HeldSessions) => Promise<Result>,
): Promise<Result> {
  const key = keyOf(owner, request.conversation);
  const client = request.client ?? source.client;
  const held = new OpenAsk(request, `${client} no longer waits.`);
  // Synchronously, so that one of two simultaneous requests finds the other.
  open.add(key, held);
  let cancelTimer = () => {};
  const stopUnlessWatched = () => {
    cancelTimer = platform.clock.setTimer(hiddenFor, () => {
      if (isWatched() || held.isShared) stopUnlessWatched();
      else held.stop("No inbox was open, and the client shows no prompt in the meantime.");
    });
  };
  if (request.isHidden) stopUnlessWatched();
  const waiting = {
    asker: askerOf(client, request, heldTools[request.kind]),
    earlier: false,
    signal: AbortSignal.any([signal, held.signal]),
  };
  let pending: string | undefined;
  let parts = 0;
  let decided: Decided | undefined;
  const track = (handover: Handover): Handover => {
    pending = handover.session.state === "pending" ? handover.session.id : undefined;
    return handover;
  };
  /** What a person decided here just before somebody did at the client; undefined if the client's decision stands. */
  const standing = async (): Promise<Handover | undefined> => {
    const id = pending;
    if (!held.yields || id === undefined || signal.aborted) return undefined;
    const isRecorded =
      held.decided !== undefined &&
      (await decideThere?.(id, held.decided).then(
        () => true,
        () => false,
      )) === true;
    try {
      if (!isRecorded) {
        await asker.withdraw(id, { reason: held.reason });
        pending = undefined;
        return undefined;
      }
    } catch {
      // A decision of the inbox was first, even if it could still be undone.
    }
    const settled = await asker.resume(id, { asker: waiting.asker, earlier: false, signal }).catch(() => undefined);
    if (!isRecorded) return settled;
    pending = undefined;
    await settled?.ack().catch(() => {});
    return undefined;
  };
  /** Whether the same request goes on waiting, here or at the next hub. */
  const goesOn = () =>
    request.requestId !== undefined &&
    (closing?.aborted === true || open.in(key).some((other) => other.request.requestId === request.requestId));
  try {
    return await ask({
      async put(input) {
        const onOpened = ({ session }: { session: { id: string } }) => {
          pending = session.id;
        };
        parts += 1;
        const idempotencyKey = request.requestId && `${request.requestId}/${parts}`;
        const asked = asker.ask(parseAsk({ ...input, timeout }, { ids: platform.ids }), { ...waiting, idempotencyKey, onOpened });
        return track(await asked.catch(async (error: unknown) => (await standing()) ?? Promise.reject(error)));
      },
      reply: async (id, text) => track(await asker.resume(id, { ...waiting, reply: text })),
      share(made) {
        decided = made;
      },
    });
  } finally {
    open.remove(key, held);
    held.finish(decided);
    cancelTimer();
    // From now on, the person at the client decides.
    if (request.kind === "ask" && decided === undefined && !held.isOver && !signal.aborted) {
      const { run, reportedAs = run, agentId } = request;
      known.add(key, { run: reportedAs, agentId, sessionId: "", isExpected: false, isLeft: true });
    }
    // Any later answer would come too late.
    if (pending !== undefined && !goesOn()) await asker.withdraw(pending, { reason: held.reason }).catch(() => {});
  }
}

/** The agent whose client asks, with what it says of its place. */
export function askerOf(client: string, { conversation, cwd, branch, repository, background, agentId }: HeldAsk, tool: string) {
  return {
    client: { name: client },
    tool,
    conversation,
    ...(cwd !== undefined && { project: cwd }),
    ...(branch !== undefined && { branch }),
    ...(repository !== undefined && { repository }),
    ...(background !== undefined && { background }),
    ...(agentId !== undefined && { agentId }),
  };
}

/** Asks, unless the client asks the same in two ways at once: then both get the same decision. */
export async function askApproval(context: AskContext, caller: Caller, request: ApprovalAsk): Promise<Settled | undefined> {
  const { owner, source, signal } = caller;
  const gone = aborted(signal);
  for (;;) {
    const twin = context.open.share(keyOf(owner, request.conversation), request);
    const end = await (twin === undefined ? ask(context, caller, request) : Promise.race([twin.ended, gone]));
    if (typeof end === "object") return { reply: source.reply(request, end.decision), ack: end.ack };
    if (twin === undefined || signal.aborted || end === "over") return undefined;
  }
}

function ask(context: AskContext, caller: Caller, request: ApprovalAsk): Promise<Decided | undefined> {
  const { owner, source } = caller;
  const { conversation, agentId, question, title, run, reportedAs = run } = request;
  return heldAsk(context, caller, request, async ({ put, share }) => {
    // The exact arguments go on as text.
    const { session, ack } = await put({ title, questions: [parseAskJson(JSON.stringify(question))] });
    const decision = decisionOf(session);
    if (decision === undefined) return undefined;
    const ran = decision.kind === "allow" ? source.ran?.(request, decision.input) : undefined;
    const report = { run: ran ?? reportedAs, isExpected: ran !== undefined };
    context.decided.add(keyOf(owner, conversation), { ...report, agentId, sessionId: session.id });
    const decided = { decision, ack };
    share(decided);
    return decided;
  });
}

/** The decision of a person, or of a person's grant; undefined if nobody decided. Only an answer that allows it allows it. */
export function decisionOf(record: SessionRecord): Decision | undefined {
  const { request, context } = record;
  const { outcome } = context;
  if (outcome?.kind === "cancelled") {
    return outcome.by.surface === "asker" ? undefined : { kind: "deny", reason: outcome.reason };
  }
  if (outcome?.kind !== "answered") return undefined;
  const [question] = request.questions;
  const answer = outcome.answers.find(({ questionId }) => questionId === question?.id);
  const [value] = answer?.values ?? [];
  if (question === undefined || traitsOf(question).picks !== "decision" || answer === undefined || value === undefined) return undefined;
  const words = [answer.customText, answer.note, outcome.comment].filter((text) => text !== undefined && text.trim() !== "");
  if (value === "deny") {
    const files = filesOf(record);
    return { kind: "deny", reason: words.length === 0 ? undefined : words.join("\n"), ...(files.length > 0 && { files }) };
  }
  const isAgents = "agentOptions" in question && question.agentOptions?.some((option) => option.value === value) === true;
  return { kind: "allow", input: answer.input, ...(isAgents && { option: value }) };
}

/** What was sent with the answers. */
function filesOf({ id, context: { outcome } }: SessionRecord): SentFile[] {
  const parts = outcome?.kind === "answered" ? [...outcome.answers, outcome] : [];
  return parts.flatMap(({ files = [] }) => files.map(({ sha256, name }) => ({ session: id, sha256, name })));
}

/** What an agent reads about a denial: who denied it and what became of it, then the person's words. */
export function denial(reason: string | undefined): string {
  const fact = "A person denied this in askbox, and it was not run.";
  return reason === undefined || reason.trim() === "" ? fact : `${fact} Their words: ${reason}`;
}

/** Asks for all of a form, part after part. Undefined if a part is not settled in time, or a form can't return what was answered: then it stays with the client. */
export function askForm(context: AskContext, caller: Caller, form: FormAsk): Promise<Settled | undefined> {
  const handovers: Handover[] = [];
  const settled = (outcome: FormOutcome): Settled | undefined => {
    const reply = form.reply(outcome);
    return reply === undefined ? undefined : { reply, ack: () => Promise.all(handovers.map(({ ack }) => ack())) };
  };
  return heldAsk(context, caller, form, async (sessions) => {
    const answers: Answer[] = [];
    const files: SentFile[] = [];
    for (const part of form.parts) {
      const handover = await putPart(sessions, part);
      const { outcome } = handover.session.context;
      handovers.push(handover);
      if (outcome?.kind === "cancelled" && outcome.by.surface !== "asker") return settled({ kind: "cancelled", reason: outcome.reason });
      if (outcome?.kind !== "answered") return undefined;
      answers.push(...outcome.answers);
      files.push(...filesOf(handover.session));
    }
    return settled({ kind: "answered", answers, files });
  });
}

/** A server can't reply to what a person asks back. */
async function putPart({ put, reply }: HeldSessions, part: FormAsk["parts"][number]): Promise<Handover> {
  let handover = await put(part);
  while (handover.session.state === "pending" && askedBack(handover.session).length > 0) {
    await handover.ack();
    handover = await reply(handover.session.id, programReply);
  }
  return handover;
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (signal.aborted) resolve(undefined);
  else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  return promise;
}
