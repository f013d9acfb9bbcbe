import { parseAskJson } from "@askbox/core/schemas";
import { aborted } from "./aborted.ts";
import type { ApprovalAsk } from "./approval.ts";
import { decisionOf } from "./decision.ts";
import { type AskContext, type Caller, heldAsk, keyOf, type Settled } from "./held-ask.ts";
import type { Decided } from "./open-asks.ts";

/** Asks, unless the client asks the same in two ways at once: then both get the same decision. */
export async function askApproval(context: AskContext, caller: Caller, request: ApprovalAsk): Promise<Settled | undefined> {
  const { owner, source, signal } = caller;
  const gone = aborted(signal);
  for (;;) {
    const twin = context.open.share(keyOf(owner, request.conversation), request);
    const end = await (twin === undefined ? ask(context, caller, request) : Promise.race([twin.ended, gone]));
    if (typeof end === "object") return { reply: source.reply(request, end.decision), ack: end.ack };
    if (twin === undefined || signal.aborted || end === "over") return undefined;
  }
}

function ask(context: AskContext, caller: Caller, request: ApprovalAsk): Promise<Decided | undefined> {
  const { owner, source } = caller;
  const { conversation, agentId, question, title, run, reportedAs = run } = request;
  return heldAsk(context, caller, request, async ({ put, share }) => {
    // The exact arguments go on as text.
    const { session, ack } = await put({ title, questions: [parseAskJson(JSON.stringify(question))] });
    const decision = decisionOf(session);
    if (decision === undefined) return undefined;
    const ran = decision.kind === "allow" ? source.ran?.(request, decision.input) : undefined;
    const report = { run: ran ?? reportedAs, isExpected: ran !== undefined };
    context.decided.add(keyOf(owner, conversation), { ...report, agentId, sessionId: session.id });
    const decided = { decision, ack };
    share(decided);
    return decided;
  });
}
