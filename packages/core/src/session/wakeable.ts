import type { Given } from "../ports/asker.ts";
import type { SessionRecord } from "./record.ts";
import { askedBack } from "./thread.ts";

/** How a waking is begun. */
export interface WakeOptions {
  /** Default: false. True if a person wants it: what an earlier waking failed to give counts, too. */
  again?: boolean | undefined;
}

/** What its agent has neither been given nor was woken for; undefined if there is nothing. */
export function wakeable(record: SessionRecord, { again = false }: WakeOptions = {}): Given | undefined {
  const { id, state, delivery, reply, waking, replacedBy } = record;
  if (replacedBy !== undefined) return undefined;
  const before = again && waking?.state === "failed" ? undefined : waking?.given;
  // Its own withdrawal, and a session that nobody answered, are nothing to wake for.
  const withOutcome = (state === "answered" || state === "cancelled") && delivery.deliveredAt === null && before?.withOutcome !== true;
  const withReply = reply !== undefined && reply.deliveredAt === undefined && before?.withReply !== true;
  const written = new Set(askedBack({ thread: record.thread.slice(before?.messages ?? 0) }));
  return withOutcome || withReply || written.size > 0
    ? { sessionId: id, withOutcome: state !== "pending", withReply: reply !== undefined, messages: record.thread.length }
    : undefined;
}
