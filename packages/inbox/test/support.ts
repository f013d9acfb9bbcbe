import { type Answerer, type Asker, type AskRequest, type Broker, createBroker, type Desk, memoryStore } from "@askbox/core";
import { anAsk, anAsker, type FakeClock, testPlatform } from "@askbox/core/testing";
import { type Askbox, createAskbox, type UnsavedDrafts } from "../src/index.ts";

export interface World {
  broker: Broker;
  clock: FakeClock;
  asker: Asker;
  /** Opens a session and returns its id. */
  ask(request?: Partial<AskRequest>, project?: string): Promise<string>;
  device(by?: Answerer, options?: { desk?: (desk: Desk) => Desk; unsaved?: UnsavedDrafts; firstPage?: number }): Promise<Askbox>;
  /** Runs everything that is due now. */
  settle(): Promise<void>;
}

export async function aWorld(): Promise<World> {
  const platform = testPlatform();
  const broker = await createBroker({ ...platform, store: memoryStore() });
  const asker = broker.asker("owner-1");
  const settle = () => platform.clock.advance(0);
  return {
    broker,
    clock: platform.clock,
    asker,
    settle,
    async ask(request = {}, project = "/home/ada/engine") {
      const { session } = await asker.ask(anAsk(request), { asker: anAsker({ project }), maxWait: 0 });
      await settle();
      return session.id;
    },
    async device(by = { surface: "web", name: "laptop" }, { desk: wrap = (desk: Desk) => desk, unsaved, firstPage } = {}) {
      const askbox = createAskbox({ desk: wrap(broker.desk(by)), clock: platform.clock, unsaved, firstPage });
      askbox.inbox.start();
      await settle();
      return askbox;
    },
  };
}
