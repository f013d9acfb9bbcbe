import { type Answerer, type AskboxError, type Desk, isAskboxError, type SessionView } from "@askbox/core";
import { methods } from "../protocol/methods.ts";
import type { Call, Calls } from "./calls.ts";
import type { LiveViews } from "./live-views.ts";
import { closedSession, isAnsweredBy, isCancelledBy, isRepliedBy, isScheduledBy } from "./took-effect.ts";

type SettlingMethod = "answer" | "recall" | "cancel" | "extend" | "reply";

/** The `Desk` of a hub. `by` tells for whom the hub takes this client. */
export function remoteDesk(calls: Calls, views: LiveViews, by: () => Answerer): Desk {
  const get = (sessionId: string) => calls.call("get", { params: () => ({ sessionId }) }).result;

  /** What was sent a second time and refused may have taken effect the first time; `find` gives the session if it has. */
  const settle = async (call: Call<SettlingMethod>, find: (error: AskboxError) => Promise<SessionView | undefined>) => {
    try {
      return await call.result;
    } catch (error) {
      const standing = call.wasRepeated() && isAskboxError(error) ? await find(error) : undefined;
      if (standing === undefined) throw error;
      return standing;
    }
  };

  return {
    list: (query = {}) => calls.call("list", { params: () => query }).result,
    get,
    watch: (filter, listener) => views.watch(filter, listener),

    answer: (sessionId, set, { delay } = {}) =>
      settle(calls.call("answer", { params: () => ({ sessionId, set, delay }) }), async (error) => {
        const closed = closedSession(error);
        if (closed !== undefined) return isAnsweredBy(by(), set, closed) ? closed : undefined;
        if (!isAskboxError(error, "CONFLICT")) return undefined;
        const present = await get(sessionId);
        return isScheduledBy(by(), set, present) ? present : undefined;
      }),

    recall: (sessionId) =>
      settle(calls.call("recall", { params: () => ({ sessionId }) }), async (error) => {
        if (!isAskboxError(error, "CONFLICT")) return undefined;
        const present = await get(sessionId);
        return present.status === "pending" && present.scheduled === undefined ? present : undefined;
      }),

    cancel: (sessionId, { reason } = {}) =>
      settle(calls.call("cancel", { params: () => ({ sessionId, reason }) }), async (error) => {
        const closed = closedSession(error);
        return closed !== undefined && isCancelledBy(by(), reason, closed) ? closed : undefined;
      }),

    extend: (sessionId, { timeout }) =>
      settle(calls.call("extend", { params: () => ({ sessionId, timeout }) }), async (error) => {
        // A deadline that is not later than the present one is refused: it is there, or further, already.
        const isInRange = methods.extend.params.safeParse({ sessionId, timeout }).success;
        if (!isAskboxError(error, "VALIDATION") || !isInRange) return undefined;
        const present = await get(sessionId);
        const isThere = present.status === "pending" && (timeout !== null || present.deadlineAt === null);
        return isThere ? present : undefined;
      }),

    getDraft: async (sessionId) => (await calls.call("getDraft", { params: () => ({ sessionId }) }).result) ?? undefined,
    saveDraft: (sessionId, patch) => calls.call("saveDraft", { params: () => ({ sessionId, patch }) }).result,

    reply: (sessionId, set) =>
      settle(calls.call("reply", { params: () => ({ sessionId, set }) }), async (error) => {
        const closed = closedSession(error);
        return closed !== undefined && isRepliedBy(by(), set, closed) ? closed : undefined;
      }),

    attend: (sessionId) => views.attend(sessionId),
  };
}
