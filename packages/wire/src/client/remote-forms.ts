import { type ClientForms, isAskboxError, type SessionRecord } from "@askbox/core";
import type { Calls } from "./calls.ts";
import { closedSession, isAnsweredBy } from "./took-effect.ts";

/** The `ClientForms` of a hub; one that is older and knows no such thing takes no answers from forms. */
export function remoteForms(calls: Calls, standing: (sessionId: string) => Promise<SessionRecord>): ClientForms {
  return {
    async allowed() {
      try {
        return await calls.call("takesForms", { params: () => ({}) }).result;
      } catch (error) {
        if (isAskboxError(error, "VALIDATION")) return false;
        throw error;
      }
    },
    async answered(sessionId, set) {
      const call = calls.call("answeredInForm", { params: () => ({ sessionId, set }) });
      try {
        return await call.result;
      } catch (error) {
        const closed = call.wasRepeated() ? closedSession(error) : undefined;
        const by = { surface: "client" as const, ...(closed === undefined ? {} : { name: closed.asker.client.name }) };
        if (closed === undefined || !isAnsweredBy(by, set, closed)) throw error;
        return standing(sessionId);
      }
    },
  };
}
