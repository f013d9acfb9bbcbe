import type { PermissionAsk } from "@askbox/clients";
import { parseAskJson } from "@askbox/core/schemas";
import { aborted } from "./aborted.ts";
import { decisionOf } from "./decision.ts";
import { type Holding, heldAsk, heldTools, type Settled } from "./held-ask.ts";
import type { Decided } from "./open-asks.ts";

/** Asks, unless the client asks the same in two ways at once: then both get the same decision. */
export async function askPermission(holding: Holding<PermissionAsk>): Promise<Settled | undefined> {
  const { door, open, grant, event, signal } = holding;
  const gone = aborted(signal);
  const settled = ({ decision, ack }: Decided): Settled => ({ reply: door.reply(event, decision), ack });
  for (;;) {
    const twin = open.twin(grant.owner, event);
    const end = await (twin === undefined ? ask(holding) : Promise.race([twin, gone]));
    if (typeof end === "object") return settled(end);
    if (twin === undefined || signal.aborted || end === "over") return undefined;
  }
}

function ask(holding: Holding<PermissionAsk>): Promise<Decided | undefined> {
  const { door, open, grant, event } = holding;
  const { conversation, agentId, question, title } = event;
  return heldAsk(holding, heldTools.permission, async ({ put, share }) => {
    // The exact arguments go on as text.
    const { session, ack } = await put({ title, questions: [parseAskJson(JSON.stringify(question))] });
    const decision = decisionOf(session);
    if (decision === undefined) return undefined;
    const isExpected = decision.kind === "allow" && door.ran !== undefined;
    const run = decision.kind === "allow" ? door.ran?.(event, decision.input) : undefined;
    open.decided(grant.owner, conversation, { run: run ?? event.reportedAs ?? event.run, agentId, sessionId: session.id, isExpected });
    const decided = { decision, ack };
    share(decided);
    return decided;
  });
}
