import { type Asker, createBroker, type Desk, type LogLevel, memoryStore } from "@askbox/core";
import { anAsk, anAsker, type FakeClock, testPlatform, validSet } from "@askbox/core/testing";
import { onTestFinished } from "vitest";
import { type OutboxStorage, startWebhooks, type Target, type Webhooks, type WebhooksOptions } from "../../src/index.ts";

export interface Scene {
  clock: FakeClock;
  asker: Asker;
  desk: Desk;
  log: { level: LogLevel; message: string }[];
  storage: OutboxStorage & { text: string | undefined };
  webhooks: Webhooks;
  ask(title?: string, asker?: Parameters<typeof anAsker>[0]): Promise<string>;
  answer(id: string): Promise<void>;
  /** The webhooks of the same inbox after a restart of the hub. */
  startAgain(options?: Partial<WebhooksOptions>): Promise<Webhooks>;
}

export const webhook = (url: string, rest: Partial<Target> = {}): Target =>
  ({ kind: "webhook", url, events: ["session.opened", "session.settled"], text: true, ...rest }) as Target;

/** A real broker with a fake clock, and real requests. */
export async function scene(targets: readonly Target[], options: Partial<WebhooksOptions> = {}): Promise<Scene> {
  const platform = testPlatform();
  const broker = await createBroker({ store: memoryStore(), ...platform });
  const desk = broker.desk({ surface: "cli" });
  const asker = broker.asker("owner");
  const log: Scene["log"] = [];
  let asks = 0;
  const storage: Scene["storage"] = {
    text: undefined,
    read: async () => storage.text,
    async write(text) {
      storage.text = text;
    },
  };
  const startAgain: Scene["startAgain"] = async (more = {}) => {
    const base = { desk, targets, storage, clock: platform.clock, random: () => 0 };
    const made = await startWebhooks({ ...base, log: (level, message) => log.push({ level, message }), ...options, ...more });
    onTestFinished(() => made.close());
    return made;
  };
  onTestFinished(() => broker.close());
  return {
    ...{ clock: platform.clock, asker, desk, log, storage, startAgain, webhooks: await startAgain() },
    async ask(title = "Before I go on", about = {}) {
      asks += 1;
      return (await asker.ask(anAsk({ title }), { asker: anAsker(about), key: `ask-${asks}`, maxWait: 0 })).session.id;
    },
    async answer(id) {
      await desk.answer(id, validSet());
    },
  };
}

/** Runs the event loop until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 90_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error("It did not come to hold in time.");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
