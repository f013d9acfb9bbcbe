import { isAskboxError } from "@askbox/core";
import type { ClientForms } from "@askbox/core/transport";
import type { Calls } from "./calls.ts";

/** The `ClientForms` of a hub; a hub without this method accepts no answers from forms. */
export function remoteForms(calls: Calls): ClientForms {
  return {
    async allowed() {
      try {
        return await calls.call("takesForms", { params: () => ({}) }).result;
      } catch (error) {
        if (isAskboxError(error, "VALIDATION")) return false;
        throw error;
      }
    },
    answered: (sessionId, set, { idempotencyKey, asker } = {}) =>
      calls.call("answeredInForm", { params: () => ({ sessionId, set, asker }), op: idempotencyKey }).result,
  };
}
