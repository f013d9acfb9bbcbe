import { AskboxError } from "../errors.ts";
import type { ReplaceOptions, SessionStore } from "../ports/store.ts";
import { type SessionEvent, step } from "../session/machine.ts";
import type { SessionRecord } from "../session/record.ts";
import { invalidAnswer } from "./valid-answers.ts";

/** Far more tries than writers that could be racing; past it something is wrong with the store. */
const maxTries = 100;

/**
 * Reads a session, lets `change` make its successor, and puts that back if nobody was faster; else starts over. Whoever has just read it gives the record
 * instead of its id: if it has changed since, the store says so, and it is read again.
 * `change` returns nothing to leave the session as it is, and throws to refuse.
 */
export async function changeSession(
  store: SessionStore,
  session: string | SessionRecord,
  change: (record: SessionRecord) => SessionRecord | undefined | Promise<SessionRecord | undefined>,
  options?: ReplaceOptions,
): Promise<SessionRecord> {
  const id = typeof session === "string" ? session : session.id;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const record = tries === 0 && typeof session !== "string" ? session : await store.get(id);
    if (record === undefined) throw notFound(id);
    const changed = await change(record);
    if (changed === undefined) return record;
    const next = { ...changed, revision: record.revision + 1 };
    if (await store.replace(next, record.revision, options)) return next;
  }
  throw new AskboxError("CONFLICT", "The session kept changing while it was being written; try again.");
}

/** Steps the session's machine; undefined if its state does not take the event. Throws `INVALID_ANSWER`. */
export function applyEvent(record: SessionRecord, event: SessionEvent, idempotencyKey?: string): SessionRecord | undefined {
  const { questions } = record.request;
  const stepped = step({ state: record.state, context: { questions, thread: record.thread, ...record.context } }, event);
  if (!stepped.ok) {
    if (stepped.issues.length > 0) throw invalidAnswer(stepped.issues);
    return undefined;
  }
  const { after } = stepped;
  const { deadlineAt, outcome, thread } = after.context;
  return {
    ...record,
    state: after.state,
    thread: [...thread],
    context: outcome === undefined ? { deadlineAt } : { deadlineAt, outcome },
    closedAt: outcome?.at ?? null,
    ...(idempotencyKey === undefined
      ? {}
      : { requests: { ...record.requests, [outcome === undefined ? "deadline" : "outcome"]: idempotencyKey } }),
  };
}

/** Whether the request of this key has changed the session: it is repeated because its sender did not get to know. */
export function tookEffect({ requests }: SessionRecord, idempotencyKey: string | undefined): boolean {
  const { deadline, outcome, reply } = requests;
  return idempotencyKey !== undefined && [deadline, outcome, reply].includes(idempotencyKey);
}

export function notFound(id: string): AskboxError {
  return new AskboxError("SESSION_NOT_FOUND", `There is no session ${id}; it may have been removed after the retention time.`);
}
