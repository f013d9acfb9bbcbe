import { AskboxError } from "../errors.ts";
import type { ClientForms } from "../ports/client-forms.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { SessionRecord } from "../session/record.ts";
import { applyEvent, changeSession, tookEffect } from "./change.ts";
import { withCheckedFiles } from "./checked-files.ts";
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
      const present = await own(sessionId, asker);
      const { answers, comment } = (await withCheckedFiles(context, present, set)) ?? set;
      return changeSession(context, present, async (record) => {
        if (tookEffect(record, idempotencyKey)) return undefined;
        if (record.state !== "pending") throw views.closed(record);
        await drafts.mustBeFree(sessionId);
        const by = { surface: "client" as const, name: record.asker.client.name };
        return applyEvent(record, { type: "ANSWER", answers, comment, by, at: clock.now() }, idempotencyKey);
      });
    },
  };
}
