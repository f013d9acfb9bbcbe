import { defined } from "../defined.ts";
import type { Given } from "../ports/asker.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { SessionRecord } from "../session/record.ts";
import { markDelivered } from "../session/thread.ts";
import { handOver, isUnderWay } from "./asking-again.ts";
import type { BrokerContext } from "./context.ts";

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
