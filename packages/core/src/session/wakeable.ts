import type { Given } from "../ports/asker.ts";
import type { SessionRecord } from "./record.ts";
import { askedBack } from "./thread.ts";

export interface WakeOptions {
  /** A person says so: what an earlier waking failed with counts, too. */
  again?: boolean | undefined;
}

/** What of the session its agent has not been given, and was not woken for; undefined if there is nothing. */
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
