/** A Node host, such as an editor or a CI runner, with broker and desk in its own process and no hub. */
import { createBroker, memoryStore, parseAsk, type SessionView, standardPlatform } from "@askbox/core";

const platform = standardPlatform(globalThis);

/** Asks, lets `person` answer, and resolves with what the agent receives. */
export async function askInThisProcess(
  question: string,
  person: (session: SessionView) => string,
): Promise<{ values: readonly string[]; by: string }> {
  const store = memoryStore();
  const broker = await createBroker({ store, ...platform });
  try {
    // The person's side, such as a window of the host.
    const desk = broker.desk({ surface: "web", name: "the host's own window" });
    await desk.watch({}, (event) => {
      if (event.type !== "session" || event.session.status !== "pending") return;
      const [asked] = event.session.questions;
      if (asked === undefined) return;
      // The first answer wins; later ones get an error.
      desk.answer(event.session.id, { answers: [{ questionId: asked.id, values: [person(event.session)] }] }).catch(() => {});
    });

    // The agent's side.
    const asker = broker.asker("agents-of-this-host");
    const request = parseAsk({ questions: [{ question, type: "confirm" }] }, { ids: platform.ids });
    const { session, ack } = await asker.ask(request, { asker: { client: { name: "embedded", version: "1.0.0" } } });
    await ack();
    const { outcome } = session.context;
    if (outcome?.kind !== "answered") throw new Error("Nobody answered; silence is not a yes.");
    return { values: outcome.answers[0]?.values ?? [], by: outcome.by.surface };
  } finally {
    await broker.close();
    await store.close();
  }
}

if (import.meta.main) console.log(await askInThisProcess("Deploy to production?", () => "no"));
