import type { ClientForms } from "../ports/client-forms.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { SessionRecord } from "../session/record.ts";
import type { BrokerContext } from "./context.ts";

/** The broker's `ClientForms` for one asker; `own` finds one of its sessions. */
export function brokerForms(context: BrokerContext, own: (sessionId: string, asker?: AskerInfo) => Promise<SessionRecord>): ClientForms {
  return {
    allowed: async () => context.clientForms,
    answered: async (...answer) => (await import("./loaded-late.ts")).answerByForm(context, own, ...answer),
  };
}
