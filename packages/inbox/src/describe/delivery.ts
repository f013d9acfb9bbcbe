import type { SessionView } from "@askbox/core";
import { denialOf, isReply } from "@askbox/core/questions";

/** What becomes of an outcome on its way to the agent; apart from `describe`, since no list needs it. */

/**
 * What happens with the outcome; `told`: it timed out, and the agent was told so. An agent that no longer waited may be woken: `waking` until it
 * is known how that went, `resumed` if its conversation had gone, `woken` with the outcome, `nudged` to get it, or not (`wake_failed`).
 */
export type Delivered = "delivered" | "reply_delivered" | "reply_waits" | "told" | "waits" | Woken;
type Woken = "waking" | "resumed" | "woken" | "nudged" | "wake_failed";

/** Whether the agent has yet to get something of the session, and no call of it waits: then it may be woken. */
export function isAwaited({ status, presence, delivery, reply, thread = [] }: SessionView): boolean {
  if (presence.asker === "attached") return false;
  if (status === "pending" || thread.some((message) => !isReply(message) && message.deliveredAt === undefined)) return true;
  return reply === undefined ? status !== "timed_out" && delivery.deliveredAt === null : reply.deliveredAt === undefined;
}

/** What happens with the outcome of a settled session; undefined if it was a denial that stands without a word, of which the agent knows. */
export function deliveryOf(session: Pick<SessionView, "questions" | "outcome" | "reply" | "delivery" | "waking">): Delivered | undefined {
  const { outcome, reply, delivery, waking } = session;
  if (denialOf(session) !== undefined && outcome !== undefined && delivery.deliveredAt === outcome.at) return undefined;
  const isTold = outcome?.kind === "timedOut";
  if (isTold && reply === undefined) return "told";
  const isDelivered = isTold ? reply?.deliveredAt !== undefined : delivery.deliveredAt !== null;
  if (isDelivered && waking?.state === "woken" && delivery.callId === waking.id) return "woken";
  if (isDelivered) return isTold ? "reply_delivered" : "delivered";
  if (waking === undefined) return isTold ? "reply_waits" : "waits";
  const { state, how } = waking;
  return state === "failed" ? "wake_failed" : state === "woken" ? "nudged" : how === "gone" ? "resumed" : "waking";
}
