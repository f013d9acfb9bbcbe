import type { Desk } from "@askbox/core";
import type { Calls } from "./calls.ts";
import type { LiveViews } from "./live-views.ts";

/** The `Desk` of a hub; `by` is the person on whose behalf it acts, if that is not who connected. */
export function remoteDesk(calls: Calls, views: LiveViews, by?: { name: string }): Desk {
  return {
    list: (query = {}) => calls.call("list", { params: () => query }).result,
    get: (sessionId) => calls.call("get", { params: () => ({ sessionId }) }).result,
    tally: (days) => calls.call("tally", { params: () => ({ days }) }).result,
    watch: (filter, listener) => views.watch(filter, listener),
    answer: (sessionId, set, { delay, idempotencyKey: op } = {}) =>
      calls.call("answer", { params: () => ({ sessionId, set, delay, by }), op }).result,
    recall: (sessionId, { idempotencyKey: op } = {}) => calls.call("recall", { params: () => ({ sessionId, by }), op }).result,
    cancel: (sessionId, { reason, idempotencyKey: op } = {}) =>
      calls.call("cancel", { params: () => ({ sessionId, reason, by }), op }).result,
    extend: (sessionId, { timeout, idempotencyKey: op }) => calls.call("extend", { params: () => ({ sessionId, timeout, by }), op }).result,
    getDraft: async (sessionId) => (await calls.call("getDraft", { params: () => ({ sessionId }) }).result) ?? undefined,
    saveDraft: (sessionId, patch) => calls.call("saveDraft", { params: () => ({ sessionId, patch, by }) }).result,
    reply: (sessionId, set, { idempotencyKey: op } = {}) => calls.call("reply", { params: () => ({ sessionId, set, by }), op }).result,
    askBack: (sessionId, message, { idempotencyKey: op } = {}) =>
      calls.call("askBack", { params: () => ({ sessionId, message, by }), op }).result,
    attend: (sessionId) => views.attend(sessionId),
  };
}
