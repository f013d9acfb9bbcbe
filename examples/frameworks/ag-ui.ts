/** AG-UI: a person is asked what a run is waiting for, and the answers resume it. */
import type { Interrupt, ResumeEntry } from "@ag-ui/core";
import { type Asker, parseAsk, standardPlatform } from "@askbox/core";

const platform = standardPlatform(globalThis);

/** One entry per interrupt, in order. Unanswered ones are cancelled: a timeout is not a yes. */
export async function resumeEntries(asker: Asker, interrupts: readonly Interrupt[]): Promise<ResumeEntry[]> {
  const questions = interrupts.map(({ id, message, reason, toolCallId }) => ({
    id,
    question: message ?? reason,
    type: toolCallId === undefined ? "text" : "confirm",
  }));
  const { session, ack } = await asker.ask(parseAsk({ questions }, platform), { asker: { client: { name: "ag-ui" } } });
  await ack();
  const { outcome } = session.context;
  if (outcome?.kind !== "answered") return interrupts.map(({ id }) => ({ interruptId: id, status: "cancelled" }));
  return interrupts.map(({ id, toolCallId }) => {
    const value = outcome.answers.find(({ questionId }) => questionId === id)?.values[0];
    const payload = toolCallId === undefined ? { text: value } : { approved: value === "yes" };
    return { interruptId: id, status: "resolved", payload };
  });
}
