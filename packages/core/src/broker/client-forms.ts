import { AskboxError } from "../errors.ts";
import type { ClientForms } from "../ports/client-forms.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { SessionRecord } from "../session/record.ts";
import { applyEvent, changeSession, tookEffect } from "./change.ts";
import type { BrokerContext } from "./context.ts";

/** The broker's `ClientForms` for one asker; `own` finds one of its sessions. */
export function brokerForms(context: BrokerContext, own: (sessionId: string, asker?: AskerInfo) => Promise<SessionRecord>): ClientForms {
  const { clientForms, clock, drafts, views } = context;
  return {
    allowed: async () => clientForms,
    async answered(sessionId, set, { idempotencyKey, asker } = {}) {
      if (!clientForms) {
        throw new AskboxError(
          "FORBIDDEN",
          "Answers from a client's own form are not accepted here; allow them with `askbox config set allowClientForms true` and restart the hub.",
        );
      }
      return changeSession(context, await own(sessionId, asker), async (record) => {
        if (tookEffect(record, idempotencyKey)) return undefined;
        if (record.state !== "pending") throw views.closed(record);
        await drafts.mustBeFree(sessionId);
        const by = { surface: "client" as const, name: record.asker.client.name };
        const { answers, comment } = set;
        return applyEvent(record, { type: "ANSWER", answers, comment, by, at: clock.now() }, idempotencyKey);
      });
    },
  };
}
