import { AskboxError } from "../errors.ts";
import { defined } from "../objects.ts";
import type { Given } from "../ports/asker.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import { traitsOf } from "../session/questions/index.ts";
import { type AskRequest, type EarlierAnswer, isUndelivered, type SessionRecord } from "../session/record.ts";
import { markDelivered } from "../session/thread.ts";
import { applyEvent, changeSession } from "./change.ts";
import type { BrokerContext } from "./context.ts";
import { textOfAsk } from "./identity.ts";

/**
 * An agent that asks the same again gets what its first ask got: the pending session, which it joins, or an answer that nobody received. And
 * what else was left for it, outcomes and messages, comes with its next result. Each is handed to one call at a time, and is marked as
 * delivered only when that call acknowledges it; until then it is in flight (`waits.ts`), and afterwards free for the next one.
 */

/** How long after its answer an equal ask still gets it, in ms. */
const lateFor = 900_000;

/** What an ask joins or gets. */
export type Found =
  | { kind: "pending"; session: SessionRecord }
  | { kind: "late"; session: SessionRecord }
  | { kind: "none"; earlierAnswer?: EarlierAnswer };

export interface IncomingAsk {
  owner: string;
  asker: AskerInfo;
  scope: string;
  digest: string;
  key: string | undefined;
  idempotencyKey: string | undefined;
  request: AskRequest;
  /** Stores its pictures with a session. */
  keep?: ((sessionId: string) => Promise<void>) | undefined;
  /** Who is about to wait, and who gets an earlier answer. */
  holder: object;
}

/**
 * Looks for the session that this ask continues: a pending one whose asker has gone (or, with a key, any pending one), else one that was
 * answered while nobody waited. A set that contains a single-use question never gets an earlier answer.
 */
export async function findEarlierAsk(context: BrokerContext, incoming: IncomingAsk): Promise<Found> {
  const { presence, leases, conversations } = context;
  const { key } = incoming;
  for (const session of await equalPending(context, incoming)) {
    if (key !== undefined || isSameRequest(session, incoming)) {
      mustBeEqual(session, incoming);
      presence.claim(session.id, incoming.holder);
      await leases.hold(session.id);
      return { kind: "pending", session };
    }
    if (session.key !== undefined || conversations.isOfAnother(incoming.holder, session, incoming.asker)) continue;
    const claimed = await claimAlone(context, session.id, incoming.holder);
    if (claimed !== undefined) return { kind: "pending", session: claimed };
  }
  const isRepeatable = incoming.request.questions.every((question) => traitsOf(question).singleUse !== true);
  for (const candidate of await equalAnswered(context, incoming)) {
    mustBeEqual(candidate, incoming);
    if (key === undefined && conversations.isOfAnother(incoming.holder, candidate, incoming.asker)) continue;
    // The rest may be a message that came too late.
    if (candidate.delivery.deliveredAt !== null) continue;
    const session = await handOver(context, candidate, incoming.holder);
    if (session === undefined) continue;
    if (isRepeatable || isSameRequest(session, incoming)) return { kind: "late", session };
    context.inFlight.release(session.id, incoming.holder);
    const earlierAnswer = carryOver(session, incoming.request);
    return earlierAnswer === undefined ? { kind: "none" } : { kind: "none", earlierAnswer };
  }
  return { kind: "none" };
}

const equals = ({ owner, key, scope, digest }: IncomingAsk) => (key === undefined ? { owner, scope, digest } : { owner, key });

async function equalPending({ store, presence, sessions }: BrokerContext, incoming: IncomingAsk): Promise<SessionRecord[]> {
  const { key, digest, idempotencyKey } = incoming;
  if (key === undefined && !sessions.mayBePending(digest)) return [];
  // One that something waits for can only be the same request, sent again, or have its key. Not read: each may be large.
  const isOther = key === undefined && idempotencyKey === undefined;
  const skip = isOther ? (id: string) => !presence.isDetached(id) : undefined;
  return (await store.list({ ...equals(incoming), states: ["pending"], order: "oldest", limit: 20, skip })).sessions;
}

/** Those that were answered recently, newest first, and that no call is receiving. */
async function equalAnswered(context: BrokerContext, incoming: IncomingAsk): Promise<SessionRecord[]> {
  const { store, sessions, clock } = context;
  const { owner, key, scope } = incoming;
  const skip = (id: string) => isUnderWay(context, id);
  if (key === undefined && !(await sessions.mayBeUndelivered(owner, scope, skip))) return [];
  const query = {
    ...equals(incoming),
    undelivered: true,
    closedSince: clock.now() - lateFor,
    order: "newest",
    limit: 20,
    skip,
  } as const;
  return (await store.list({ ...query, states: ["answered"] })).sessions;
}

/**
 * Takes a pending session that nothing waits for, at any hub. The record is read again, since it may be outdated by then: a session that
 * was settled in the meantime is left to the search for outcomes.
 */
async function claimAlone({ store, presence, leases }: BrokerContext, id: string, holder: object): Promise<SessionRecord | undefined> {
  if (!presence.claim(id, holder)) return undefined;
  try {
    const record = (await leases.claim(id)) ? await store.get(id) : undefined;
    if (record?.state === "pending") return record;
  } catch (error) {
    presence.unclaim(id, holder);
    throw error;
  }
  presence.unclaim(id, holder);
  return undefined;
}

/** Whether a call at this hub waits for the session, is about to, or is receiving its outcome. */
export function isUnderWay({ presence, inFlight }: BrokerContext, id: string): boolean {
  return !presence.isDetached(id) || inFlight.has(id);
}

/**
 * Hands an outcome to one call, unless another call has it or is receiving it: at this hub according to local state, elsewhere according to
 * leases. Undefined if it is not available. The record is read again, since it may be outdated by then.
 */
async function handOver(context: BrokerContext, { id }: SessionRecord, holder: object): Promise<SessionRecord | undefined> {
  const { store, leases, inFlight } = context;
  if (isUnderWay(context, id)) return undefined;
  // Synchronously with the check, so that only one of several calls gets it.
  inFlight.begin(id, holder);
  try {
    const record = (await leases.claim(id)) ? await store.get(id) : undefined;
    if (record !== undefined && isUndelivered(record)) {
      inFlight.begin(id, holder, record);
      return record;
    }
  } catch (error) {
    inFlight.release(id, holder);
    throw error;
  }
  inFlight.release(id, holder);
  return undefined;
}

/** Whether this ask has already joined the session when it was sent before. */
const isSameRequest = ({ requests }: SessionRecord, { idempotencyKey }: IncomingAsk) =>
  idempotencyKey !== undefined && requests.ask === idempotencyKey;

/** A key identifies one question of one asker. Throws `CONFLICT`. */
export function mustBeEqual({ scope, request }: SessionRecord, incoming: IncomingAsk): void {
  // Not by digest: an earlier version may have stored another one of the same questions.
  if (scope === incoming.scope && textOfAsk(request) === textOfAsk(incoming.request)) return;
  throw new AskboxError(
    "CONFLICT",
    `The key ${JSON.stringify(incoming.key ?? incoming.idempotencyKey)} belongs to another pending question; use another key, or ask exactly the same question.`,
  );
}

/** The old answers under the question ids of the new session; undefined if the two sets differ in shape. */
function carryOver(session: SessionRecord, request: AskRequest): EarlierAnswer | undefined {
  const { outcome } = session.context;
  if (request.questions.some((question) => traitsOf(question).picks === "decision")) return undefined;
  if (outcome?.kind !== "answered" || outcome.answers.length !== request.questions.length) return undefined;
  const answers = outcome.answers.map((answer, index) => ({ ...answer, questionId: request.questions[index]?.id ?? answer.questionId }));
  const { comment, by, at } = outcome;
  return { sessionId: session.id, answers, ...defined({ comment }), by, at };
}

/** Joins a pending session: its deadline moves to the later of its own and the ask's timeout from now. */
export async function joinSession(context: BrokerContext, id: string, incoming: IncomingAsk): Promise<SessionRecord> {
  const { deadlines } = context;
  const { request, idempotencyKey } = incoming;
  const isLater = deadlines.isWithin(id, request.timeout);
  const joined = await changeSession(context, id, (record) => {
    const stored = record.context.deadlineAt;
    const deadlineAt = isLater ? deadlines.moved(stored, request.timeout) : stored;
    const by = { surface: "asker" as const, name: record.asker.client.name };
    const extended = applyEvent(record, { type: "EXTEND", deadlineAt, by });
    if (record.state !== "pending" || idempotencyKey === undefined || isSameRequest(record, incoming)) return extended;
    return { ...(extended ?? record), requests: { ...record.requests, ask: idempotencyKey } };
  });
  if (isLater && joined.context.deadlineAt !== null) deadlines.defer(id, request.timeout);
  return joined;
}

/** The maximum number of earlier outcomes in one result. */
const maxEarlier = 20;

interface Receiver {
  owner: string;
  scope: string;
  asker: AskerInfo;
  /** The session that is returned anyway. */
  except?: string;
  /** The port that delivers them. */
  holder: object;
}

/** The asker's sessions with something undelivered, oldest first; they are now in flight to it. */
export async function handOverUndelivered(context: BrokerContext, receiver: Receiver): Promise<SessionRecord[]> {
  const { store, sessions, conversations } = context;
  const { owner, scope, asker, except, holder } = receiver;
  const skip = (id: string) => id === except || isUnderWay(context, id);
  if (!(await sessions.mayBeUndelivered(owner, scope, skip))) return [];
  const page = await store.list({ owner, scope, undelivered: true, order: "oldest", limit: 5 * maxEarlier, skip });
  const candidates = page.sessions.filter((record) => record.id !== except && !conversations.isOfAnother(holder, record, asker));
  const free: SessionRecord[] = [];
  for (let next = 0; next < candidates.length && free.length < maxEarlier; ) {
    const some = candidates.slice(next, next + maxEarlier - free.length);
    next += some.length;
    const handed = await Promise.all(some.map((session) => handOver(context, session, holder)));
    free.push(...handed.filter((session) => session !== undefined));
  }
  return free;
}

/** The session after this delivery; undefined if there was nothing left to deliver. */
export function withDelivered(
  record: SessionRecord,
  { withOutcome, withReply, messages }: Given,
  { callId, at }: { callId: string | undefined; at: number },
): SessionRecord | undefined {
  const { delivery, reply } = record;
  const outcomeIsNew = withOutcome && delivery.deliveredAt === null;
  const replyIsNew = withReply && reply !== undefined && reply.deliveredAt === undefined;
  const read = markDelivered(record, messages, at);
  if (!outcomeIsNew && !replyIsNew && read === record) return undefined;
  return {
    ...read,
    ...(outcomeIsNew ? { delivery: { deliveredAt: at, ...defined({ callId }) } } : {}),
    ...(replyIsNew ? { reply: { ...reply, deliveredAt: at } } : {}),
  };
}
