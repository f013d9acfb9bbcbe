import { type Answer, askedBack, type Handover, programReply } from "@askbox/core";
import type { FormAsk, FormOutcome } from "./approval.ts";
import { type AskContext, type Caller, type HeldSessions, heldAsk, type Settled } from "./held-ask.ts";

/** Asks for all of a form, part after part. Undefined if a part is not settled in time, or a form can't return what was answered: then it stays with the client. */
export function askForm(context: AskContext, caller: Caller, form: FormAsk): Promise<Settled | undefined> {
  const handovers: Handover[] = [];
  const settled = (outcome: FormOutcome): Settled | undefined => {
    const reply = form.reply(outcome);
    return reply === undefined ? undefined : { reply, ack: () => Promise.all(handovers.map(({ ack }) => ack())) };
  };
  return heldAsk(context, caller, form, async (sessions) => {
    const answers: Answer[] = [];
    for (const part of form.parts) {
      const handover = await putPart(sessions, part);
      const { outcome } = handover.session.context;
      handovers.push(handover);
      if (outcome?.kind === "cancelled" && outcome.by.surface !== "asker") return settled({ kind: "cancelled", reason: outcome.reason });
      if (outcome?.kind !== "answered") return undefined;
      answers.push(...outcome.answers);
    }
    return settled({ kind: "answered", answers });
  });
}

/** A server can't reply to what a person asks back. */
async function putPart({ put, reply }: HeldSessions, part: FormAsk["parts"][number]): Promise<Handover> {
  let handover = await put(part);
  while (handover.session.state === "pending" && askedBack(handover.session).length > 0) {
    await handover.ack();
    handover = await reply(handover.session.id, programReply);
  }
  return handover;
}
