/** Bundled for a browser and run without Node: asks, answers, and returns the asker's result. */
import { askResult, createBroker, memoryStore, parseAsk, type StandardGlobals, standardPlatform } from "@askbox/core";
import { resumed } from "@askbox/core/testing";

async function askInPage(question: string): Promise<string> {
  const platform = standardPlatform(globalThis as unknown as StandardGlobals);
  const broker = await createBroker({ store: memoryStore(), ...platform });
  const asker = broker.asker("page");
  const request = parseAsk({ questions: [{ id: "asked", question, type: "confirm" }] }, platform);
  const { session } = await asker.ask(request, { asker: { client: { name: "page", version: "1.0.0" } }, maxWait: 0 });
  await broker.desk({ surface: "web" }).answer(session.id, { answers: [{ questionId: "asked", values: ["yes"] }] });
  const { answered, answers } = askResult(await resumed(asker, session.id));
  await broker.close();
  return `${answered} ${answers[0]?.values.join()}`;
}

Object.assign(globalThis, { askInPage });
