import { assertRejects } from "../contract.ts";
import { anAsk } from "../fixtures.ts";
import { ask, type Inbox, resumed } from "../ports-harness.ts";

export const textOnly = () => ({ questions: anAsk().questions.slice(0, 1) });
export const textAnswer = (text: string) => ({ answers: [{ questionId: "q_text", values: [text] }] });

/** A signal that the test aborts; the core has no AbortController. */
export function aSignal() {
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    addEventListener: (_type: "abort", listener: () => void) => void listeners.add(listener),
    removeEventListener: (_type: "abort", listener: () => void) => void listeners.delete(listener),
  };
  return {
    signal,
    abort() {
      signal.aborted = true;
      for (const listener of [...listeners]) listener();
    },
  };
}

/** Opens and answers a session while nobody waits for it. */
export async function answeredAlone(inbox: Inbox, text: string) {
  const asker = await inbox.asker();
  const desk = await inbox.desk();
  const { session } = await ask(asker, textOnly());
  await leave(inbox, session.id);
  await desk.answer(session.id, textAnswer(text));
  return { asker, desk, session };
}

/** Starts a wait and aborts it, so that the session's asker is away. */
export async function leave(inbox: Inbox, id: string) {
  const asker = await inbox.asker();
  const desk = await inbox.desk();
  const { signal, abort } = aSignal();
  const wait = resumed(asker, id, { signal });
  wait.catch(() => {});
  await inbox.until(async () => (await desk.get(id)).presence.asker === "attached");
  abort();
  await assertRejects(wait, "ABORTED", "a wait that is given up");
  await inbox.until(async () => (await desk.get(id)).presence.asker === "away");
}
