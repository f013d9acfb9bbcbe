import { AskboxError, type Asker, parseAsk } from "@askbox/core";
import type { CallsOf } from "./calls.ts";
import type { WireHandlerOptions } from "./options.ts";

/** What an asker may call. */
export function askerCalls(asker: Asker, { ids, control }: WireHandlerOptions): CallsOf<"asker"> {
  return {
    async open({ request, asker: info, ...options }) {
      // The request was checked where it was made, but who made it may be hostile: it is read again as input.
      return asker.open(parseAsk(request, { ids, longQuestions: true }), { asker: info, ...options });
    },
    wait: ({ sessionId, ticketAfter }, { signal }) =>
      asker.wait(sessionId, { signal, ...(ticketAfter === undefined ? {} : { ticketAfter }) }),
    withdraw: ({ sessionId, ...options }) => asker.withdraw(sessionId, options),
    async delivered({ sessionId, ...options }) {
      await asker.delivered(sessionId, options);
      return null;
    },
    async release({ sessionId }) {
      await asker.release(sessionId);
      return null;
    },
    earlier: ({ asker: info }) => asker.earlier(info),
    async called(end) {
      control.called?.(end);
      return null;
    },
    takesForms: async () => (await asker.forms?.allowed()) ?? false,
    async answeredInForm({ sessionId, set }) {
      if (asker.forms === undefined) throw new AskboxError("FORBIDDEN", "Answers from a client's own form are not taken here.");
      return asker.forms.answered(sessionId, set);
    },
  };
}
