import type { Desk } from "@askbox/core";
import type { Calls } from "./calls.ts";
import type { LiveViews } from "./live-views.ts";

/** The `Desk` of a hub. */
export function remoteDesk(calls: Calls, views: LiveViews): Desk {
  return {
    list: (query = {}) => calls.call("list", { params: () => query }).result,
    get: (sessionId) => calls.call("get", { params: () => ({ sessionId }) }).result,
    watch: (filter, listener) => views.watch(filter, listener),
    answer: (sessionId, set, { delay, idempotencyKey: op } = {}) =>
      calls.call("answer", { params: () => ({ sessionId, set, delay }), op }).result,
    recall: (sessionId, { idempotencyKey: op } = {}) => calls.call("recall", { params: () => ({ sessionId }), op }).result,
    cancel: (sessionId, { reason, idempotencyKey: op } = {}) => calls.call("cancel", { params: () => ({ sessionId, reason }), op }).result,
    extend: (sessionId, { timeout, idempotencyKey: op }) => calls.call("extend", { params: () => ({ sessionId, timeout }), op }).result,
    getDraft: async (sessionId) => (await calls.call("getDraft", { params: () => ({ sessionId }) }).result) ?? undefined,
    saveDraft: (sessionId, patch) => calls.call("saveDraft", { params: () => ({ sessionId, patch }) }).result,
    reply: (sessionId, set, { idempotencyKey: op } = {}) => calls.call("reply", { params: () => ({ sessionId, set }), op }).result,
    askBack: (sessionId, message, { idempotencyKey: op } = {}) =>
      calls.call("askBack", { params: () => ({ sessionId, message }), op }).result,
    attend: (sessionId) => views.attend(sessionId),
  };
}
