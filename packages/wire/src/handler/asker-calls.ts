import type { RelayedAsker } from "@askbox/core/transport";
import { AskboxError } from "@askbox/core/transport";
import type { Ports } from "../protocol/ports.ts";
import type { CallsOf } from "./calls.ts";
import type { WireHandlerOptions } from "./options.ts";
import { perform } from "./perform.ts";

/** Serves an asker. */
export function askerCalls(asker: RelayedAsker, { ids, control }: WireHandlerOptions): CallsOf<"asker"> {
  const ports: Ports<"parsed", "asker"> = { asker, forms: asker.forms ?? noForms };
  return {
    perform: (name, params, context) => perform(ports, name, params, context),
    own: {
      async ask({ sessionId, request, asker: info, key, registeredOnly, replaces, maxWait, earlier }, { op, signal, opened }) {
        const wait = { signal, maxWait, earlier };
        if (sessionId !== undefined) return asker.resume(sessionId, { asker: info, ...wait });
        // The client has checked the request, but may be hostile, so it is parsed again as input.
        const { parseAsk } = await import("./ask-input.ts");
        const checked = parseAsk(request, { ids, longQuestions: true });
        return asker.ask(checked, { asker: info, key, registeredOnly, replaces, idempotencyKey: op, onOpened: opened, ...wait });
      },
      async ack({ given, calls = [], ...options }) {
        for (const end of calls) control.called?.(end);
        await asker.acknowledge(given, options);
        return null;
      },
      async called(end) {
        control.called?.(end);
        return null;
      },
    },
  };
}

const noForms: Ports<"parsed", "asker">["forms"] = {
  allowed: async () => false,
  async answered() {
    throw new AskboxError("FORBIDDEN", "Answers from a client's own form are not accepted here.");
  },
};
