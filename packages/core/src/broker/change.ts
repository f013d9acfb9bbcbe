import { auditEventOf, decisionIn } from "../audit/entry.ts";
import { AskboxError } from "../errors.ts";
import type { InsertResult, ReplaceOptions, SessionStore } from "../ports/store.ts";
import { isUntold } from "../session/denial.ts";
import { type SessionEvent, step } from "../session/machine.ts";
import type { SessionRecord } from "../session/record.ts";
import type { AuditWriter } from "./audit-writer.ts";
import { invalidAnswer } from "./valid-answers.ts";

/** Far more attempts than there can be concurrent writers; beyond that, the store is faulty. */
const maxTries = 100;

/** A store with its record of approvals. */
export interface RecordedStore {
  readonly store: SessionStore;
  readonly audit: AuditWriter;
  /** This broker's write has settled a session. */
  readonly onSettled: (record: SessionRecord) => void;
}

/**
 * Reads a session, replaces it with the result of `change`, and starts over if another writer was faster. A caller that has just read it
 * passes the record instead of the id: if it has changed since, it is read again. `change` returns undefined to leave the session
 * unchanged, and throws to reject.
 */
export async function changeSession(
  context: RecordedStore,
  session: string | SessionRecord,
  change: (record: SessionRecord) => SessionRecord | undefined | Promise<SessionRecord | undefined>,
  options?: ReplaceOptions,
): Promise<SessionRecord> {
  const id = typeof session === "string" ? session : session.id;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const record = tries === 0 && typeof session !== "string" ? session : await context.store.get(id);
    if (record === undefined) throw notFound(id);
    const changed = await change(record);
    if (changed === undefined) return record;
    const next = { ...changed, revision: record.revision + 1 };
    if (!(await replace(context, next, record, options))) continue;
    if (record.state === "pending" && next.state !== "pending") context.onSettled(next);
    return next;
  }
  throw new AskboxError("CONFLICT", "The session kept changing while it was being written; try again.");
}

/** Adds a session. If a grant has answered it, that goes into the record with it. */
export async function insertSession({ store, audit }: RecordedStore, record: SessionRecord): Promise<InsertResult> {
  const decision = decisionIn(record);
  if (decision === undefined) return store.insert(record);
  let result: InsertResult = { inserted: true };
  await audit.write(decision, async (entry) => {
    result = await store.insert(record, { entry });
    return result.inserted;
  });
  return result;
}

/** A decision, and what its client did in spite of it, is recorded in the transaction that changes the session. */
function replace({ store, audit }: RecordedStore, next: SessionRecord, before: SessionRecord, options?: ReplaceOptions): Promise<boolean> {
  const event = auditEventOf(next, before);
  if (event === undefined) return store.replace(next, before.revision, options);
  return audit.write(event, (entry) => store.replace(next, before.revision, { ...options, entry }));
}

/** Steps the session's machine; undefined if its state does not accept the event. Throws `INVALID_ANSWER`. */
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
    ...(outcome !== undefined && isUntold(record.request, outcome) && { delivery: { deliveredAt: outcome.at } }),
    ...(idempotencyKey === undefined
      ? {}
      : { requests: { ...record.requests, [outcome === undefined ? "deadline" : "outcome"]: idempotencyKey } }),
  };
}

/** Whether the request with this key has already changed the session: it is repeated because its sender got no response. */
export function tookEffect({ requests }: SessionRecord, idempotencyKey: string | undefined): boolean {
  const { deadline, outcome, reply, snooze } = requests;
  return idempotencyKey !== undefined && [deadline, outcome, reply, snooze].includes(idempotencyKey);
}

export function notFound(id: string): AskboxError {
  return new AskboxError("SESSION_NOT_FOUND", `There is no session ${id}; it may have been removed after the retention time.`);
}
