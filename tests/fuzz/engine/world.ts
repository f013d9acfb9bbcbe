import { setImmediate as turn } from "node:timers/promises";
import { type Broker, createBroker, type Log, memoryStore, type Platform, parseAsk, type SessionStore } from "@askbox/core";
import { anAsk, type FakeClock, resumed, testPlatform } from "@askbox/core/testing";
import { assertReadable, fault } from "./oracle.ts";
import { asker } from "./samples.ts";

/** A separate broker for one input, with one pending session asked by the owner `one`. */
export interface World {
  platform: Platform & { clock: FakeClock };
  broker: Broker;
  store: SessionStore;
  /** The id of the pending session. */
  session: string;
  log: Log;
  /** A complete round unrelated to the input: somebody asks, somebody else answers. Also checks that everything stored can be read. */
  assertServes(): Promise<void>;
  close(): Promise<void>;
}

/** With `isAskedBack`, a person has asked back about the session, so that a reply is possible. */
export async function openWorld({ isAskedBack = false } = {}): Promise<World> {
  const platform = testPlatform({ settle: turns });
  const store = memoryStore();
  const accidents: string[] = [];
  const log: Log = (level, message, data) => {
    if (level === "error") accidents.push(`${message} ${JSON.stringify(data)}`);
  };
  const broker = await createBroker({ store, ...platform, log, clientForms: true });
  const one = broker.asker("one");
  const { session } = await one.ask(anAsk(), { asker, maxWait: 0 });
  if (isAskedBack) await broker.desk({ surface: "cli" }).askBack(session.id, { text: "Why?" });
  return {
    platform,
    broker,
    store,
    session: session.id,
    log,
    async assertServes() {
      const own = broker.asker("somebody else");
      const request = parseAsk({ questions: [{ id: "q", question: "Still there?", type: "confirm" }] }, { ids: platform.ids });
      const opened = await own.ask(request, { asker: { client: { name: "another" } }, maxWait: 0 });
      const waited = resumed(own, opened.session.id);
      const desk = broker.desk({ surface: "cli" });
      await desk.list({ limit: 5 });
      await desk.answer(opened.session.id, { answers: [{ questionId: "q", values: ["yes"] }] });
      if ((await waited).context.outcome?.kind !== "answered") fault("A valid question is not answered any more.");
      own.close();
      desk.close();
      await assertReadable(store);
      const [accident] = accidents;
      if (accident !== undefined) fault(`The log tells of an accident: ${accident}`);
    },
    close: () => broker.close(),
  };
}

/** Long enough for a message to cross a pair of channels and the reply to return. */
export async function turns(): Promise<void> {
  for (let count = 0; count < 6; count += 1) await turn();
}
