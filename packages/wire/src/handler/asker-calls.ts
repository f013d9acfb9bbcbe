import { type Asker, parseAsk } from "@askbox/core";
import type { CallsOf } from "./calls.ts";
import type { WireHandlerOptions } from "./options.ts";

/** What an asker may call. */
export function askerCalls(asker: Asker, owner: string, { checkAsk, ids }: WireHandlerOptions): CallsOf<"asker"> {
  return {
    async open({ request, asker: info, key }, { bytes }) {
      await checkAsk?.(owner, info.agentId, bytes);
      // The request was checked where it was made, but who made it may be hostile: it is read again as input.
      return asker.open(parseAsk(request, { ids }), { asker: info, ...(key === undefined ? {} : { key }) });
    },
    wait: ({ sessionId, ticketAfter }, { signal }) =>
      asker.wait(sessionId, { signal, ...(ticketAfter === undefined ? {} : { ticketAfter }) }),
    withdraw: ({ sessionId, ...options }) => asker.withdraw(sessionId, options),
    async delivered({ sessionId, ...options }) {
      await asker.delivered(sessionId, options);
      return null;
    },
    earlier: ({ asker: info }) => asker.earlier(info),
  };
}
