import { AskboxError, parseAsk } from "@askbox/core";
import type { RelayedAsker } from "@askbox/core/transport";
import type { CallsOf } from "./calls.ts";
import type { WireHandlerOptions } from "./options.ts";

/** The methods of an asker. */
export function askerCalls(asker: RelayedAsker, { ids, control }: WireHandlerOptions): CallsOf<"asker"> {
  return {
    async ask({ sessionId, request, asker: info, key, registeredOnly, replaces, maxWait, earlier }, { op, signal, opened }) {
      const wait = { signal, maxWait, earlier };
      if (sessionId !== undefined) return asker.resume(sessionId, { asker: info, ...wait });
      // The client has checked the request, but may be hostile, so it is parsed again as input.
      const checked = parseAsk(request, { ids, longQuestions: true });
      return asker.ask(checked, { asker: info, key, registeredOnly, replaces, idempotencyKey: op, onOpened: opened, ...wait });
    },
    resume: ({ sessionId, ...options }, { signal, op }) => asker.resume(sessionId, { ...options, idempotencyKey: op, signal }),
    withdraw: ({ sessionId, ...options }, { op }) => asker.withdraw(sessionId, { ...options, idempotencyKey: op }),
    collect: ({ asker: info }) => asker.collect(info),
    async ack({ given, ...options }) {
      await asker.acknowledge(given, options);
      return null;
    },
    async nack({ given }) {
      await asker.release(given);
      return null;
    },
    async called(end) {
      control.called?.(end);
      return null;
    },
    takesForms: async () => (await asker.forms?.allowed()) ?? false,
    async answeredInForm({ sessionId, set, asker: info }, { op }) {
      if (asker.forms === undefined) throw new AskboxError("FORBIDDEN", "Answers from a client's own form are not accepted here.");
      return asker.forms.answered(sessionId, set, { asker: info, idempotencyKey: op });
    },
  };
}
