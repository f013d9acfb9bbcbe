import { decisionIn } from "../audit/entry.ts";
import { AskboxError } from "../errors.ts";
import { defined } from "../objects.ts";
import { overruledAt, overruleLasts } from "../session/denial.ts";
import { limits } from "../session/limits.ts";
import { traitsOf } from "../session/questions/index.ts";
import type { SessionRecord } from "../session/record.ts";
import { hasRoom, isReply, markDelivered, type ThreadMessage } from "../session/thread.ts";
import { quote } from "../texts.ts";
import { attachedFiles } from "./attached.ts";
import { applyEvent, changeSession } from "./change.ts";
import type { BrokerContext } from "./context.ts";

/** After a message the deadline is at least this far away, in ms. */
const timeAfterMessage = 300_000;
/** A person's message that arrives within this time after the session was settled, in ms, is still kept. */
const sameMoment = 10_000;

type NewMessage = Pick<ThreadMessage, "questionId" | "text" | "files" | "by" | "unasked">;

/**
 * Adds a message to a session's thread, once per idempotency key, and moves the deadline. A settled session keeps its outcome: the agent's
 * reply is added to its thread, and so is a person's message that was sent at the same moment, whose sender gets the outcome, or that is
 * `unasked`.
 */
export async function addMessage(
  context: BrokerContext,
  session: SessionRecord,
  { questionId, text, files: sent, by, unasked }: NewMessage,
  request: string | undefined,
): Promise<SessionRecord> {
  const { clock, deadlines, ids, inFlight, views } = context;
  checkText(text, by, sent);
  if (questionId !== undefined && session.request.questions.every(({ id }) => id !== questionId)) {
    throw new AskboxError("VALIDATION", `No question of this session has the id ${quote(questionId)}.`);
  }
  if (!isReply({ by }) && session.request.questions.some((question) => traitsOf(question).picks === "decision")) {
    throw new AskboxError("VALIDATION", "An approval is allowed or denied; deny it, and give what you want to know as the reason.");
  }
  const files = await attachedFiles(context, session, sent);
  const message: ThreadMessage = {
    id: ids.call(),
    ...defined({ questionId }),
    text,
    ...(files && { files }),
    by,
    at: clock.now(),
    ...defined({ request }),
  };
  const isFromAgent = isReply(message);
  const isNearer = deadlines.isWithin(session.id, timeAfterMessage);
  let isKeptOnly = false;
  const written = await changeSession(context, session, (present) => {
    isKeptOnly = false;
    if (isRepeated(present.thread, message)) return undefined;
    // An agent that replies has received the message it replies to, even if it has not acknowledged it yet.
    const record = isFromAgent ? markDelivered(present, inFlight.messagesOf(present.id), message.at) : present;
    const room = hasRoom(record.thread, message);
    if (record.state === "pending") {
      const stored = record.context.deadlineAt;
      const deadlineAt = isNearer ? deadlines.moved(stored, timeAfterMessage) : stored;
      const added = room ? applyEvent(record, { type: "MESSAGE", message, deadlineAt }) : undefined;
      if (added === undefined) throw refusal(record.thread, message);
      return isFromAgent || added.seenAt !== undefined ? added : { ...added, seenAt: message.at };
    }
    isKeptOnly = !isFromAgent && !unasked;
    const isTooLate = isKeptOnly && message.at - (record.closedAt ?? 0) > sameMoment;
    if (isTooLate || record.replacedBy !== undefined) throw isFromAgent ? views.closedForAsker(record) : views.closed(record);
    if (unasked && !room) throw refusal(record.thread, message);
    return room ? { ...record, thread: [...record.thread, { ...message, ...(unasked && { unasked }) }] } : undefined;
  });
  if (isKeptOnly) throw views.closed(written, "your message is kept in its thread, and the agent is given it");
  if (isNearer && written.state === "pending" && written.context.deadlineAt !== null) deadlines.defer(session.id, timeAfterMessage);
  return written;
}

/** Adds what a client did in spite of a decision; once for the same text. Nothing for other sessions. */
export async function addReport(context: BrokerContext, sessionId: string, text: string): Promise<void> {
  const { clock, ids } = context;
  await changeSession(context, sessionId, (record) => {
    const { thread, asker } = record;
    const message: ThreadMessage = { id: ids.call(), text, by: { surface: "asker", name: asker.client.name }, at: clock.now() };
    const isDone = thread.some((one) => isReply(one) && one.text === text) || thread.length >= limits.rounds;
    return isDone || decisionIn(record) === undefined ? undefined : { ...record, thread: [...thread, message] };
  });
}

/** Uses up what a person allowed once by overruling a denial. True for one caller only, at any hub, and for none once its time is over. */
export async function useOverruled(context: BrokerContext, sessionId: string, text: string): Promise<boolean> {
  const { clock, ids } = context;
  let isOurs = false;
  await changeSession(context, sessionId, (record) => {
    const [at, overruled] = [clock.now(), overruledAt(record)];
    isOurs = overruled !== undefined && record.usedAt === undefined && at - overruled < overruleLasts;
    if (!isOurs) return undefined;
    const message: ThreadMessage = { id: ids.call(), text, by: { surface: "asker", name: record.asker.client.name }, at };
    return { ...record, usedAt: at, thread: [...record.thread, message] };
  });
  return isOurs;
}

/** Already sent, with the same key or, for a reply, with the same words and nothing in between. */
function isRepeated(thread: readonly ThreadMessage[], message: ThreadMessage): boolean {
  const same = thread.filter((one) => isReply(one) === isReply(message));
  if (message.request !== undefined && same.some(({ request }) => request === message.request)) return true;
  const last = thread.at(-1);
  return isReply(message) && last !== undefined && isReply(last) && last.text === message.text;
}

function checkText(text: string, by: ThreadMessage["by"], files: ThreadMessage["files"] = []): void {
  const { max } = isReply({ by }) ? limits.replyBack : limits.askBack;
  if ((files.length > 0 || text.trim() !== "") && text.length <= max) return;
  const what = isReply({ by }) ? "A reply to what a person asked back" : "A message to the agent";
  throw new AskboxError("VALIDATION", `${what} must have 1 to ${max.toLocaleString("en")} characters.`);
}

function refusal(thread: readonly ThreadMessage[], message: ThreadMessage): AskboxError {
  if (!isReply(message)) {
    return new AskboxError("TOO_MANY_ROUNDS", `The agent has been asked back ${limits.rounds} times; answer, or decline, with a comment.`);
  }
  if (thread.length === 0) return new AskboxError("VALIDATION", "Nobody has asked back; keep waiting without a reply.");
  return new AskboxError("TOO_MANY_ROUNDS", `The person has had ${limits.rounds} replies; keep waiting without one.`);
}
