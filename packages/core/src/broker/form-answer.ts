import { AskboxError } from "../errors.ts";
import type { ClientForms } from "../ports/client-forms.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { SessionRecord } from "../session/record.ts";
import { applyEvent, changeSession, tookEffect } from "./change.ts";
import { withAttached } from "./comments.ts";
import type { BrokerContext } from "./context.ts";

/** Answers a session from a form of its asker's client. */
export async function answerByForm(
  context: BrokerContext,
  own: (sessionId: string, asker?: AskerInfo) => Promise<SessionRecord>,
  ...[sessionId, set, { idempotencyKey, asker } = {}]: Parameters<ClientForms["answered"]>
): Promise<SessionRecord> {
  const { clientForms, clock, drafts, views } = context;
  if (!clientForms) {
    throw new AskboxError("FORBIDDEN", "Answers from a client's own form are not accepted here; whoever runs the hub can allow them.");
  }
  const present = await own(sessionId, asker);
  const checked = await withAttached(context, present, set);
  return changeSession(context, present, async (record) => {
    if (tookEffect(record, idempotencyKey)) return undefined;
    if (record.state !== "pending") throw views.closed(record);
    await drafts.mustBeFree(sessionId);
    const by = { surface: "client" as const, name: record.asker.client.name };
    return applyEvent(record, { ...checked, type: "ANSWER", by, at: clock.now() }, idempotencyKey);
  });
}
