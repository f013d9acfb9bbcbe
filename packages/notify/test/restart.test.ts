import { describe, expect, it } from "vitest";
import { startReceiver } from "./support/receiver.ts";
import { scene, until, webhook } from "./support/webhook-scene.ts";

describe("webhooks over a restart of the hub", () => {
  it("resume undelivered events", async () => {
    const receiver = await startReceiver();
    receiver.answers.push({ status: 500 });
    const { ask, clock, webhooks, startAgain } = await scene([webhook(receiver.url)]);
    await ask();
    await until(() => webhooks.status()[0]?.trouble !== undefined);
    await webhooks.close();
    const again = await startAgain();
    expect(again.status()[0]).toMatchObject({ waiting: 1 });
    await clock.advance(5_000);
    await until(() => again.status()[0]?.delivered === 1);
    expect(receiver.received).toHaveLength(2);
  });

  it("report what opened and settled while no hub ran, each event once", async () => {
    const receiver = await startReceiver();
    const { ask, answer, webhooks, startAgain } = await scene([webhook(receiver.url)]);
    const before = await ask("before");
    await until(() => webhooks.status()[0]?.delivered === 1);
    await webhooks.close();
    await answer(before);
    const during = await ask("during");
    const again = await startAgain();
    await until(() => again.status()[0]?.delivered === 2);
    await again.close();
    const third = await startAgain();
    await answer(during);
    await until(() => third.status()[0]?.delivered === 1);
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([
      `${before}.opened`,
      ...[`${before}.settled`, `${during}.opened`].sort((a, b) => order(receiver, a) - order(receiver, b)),
      `${during}.settled`,
    ]);
  });

  it("count a session as announced only once it is decided which hub sends it", async () => {
    const receiver = await startReceiver();
    const never = new Promise<boolean>(() => {});
    const { ask, webhooks, startAgain, storage } = await scene([webhook(receiver.url)], { claim: () => never });
    const id = await ask();
    await webhooks.close();
    expect(storage.text).not.toContain(id);
    const again = await startAgain({ claim: async () => true });
    await until(() => again.status()[0]?.delivered === 1);
  });

  it("leave an event to another hub that has claimed it", async () => {
    const receiver = await startReceiver();
    const claimed = new Set<string>();
    const claim = async (id: string) => !claimed.has(id) && claimed.add(id).size > 0;
    const { ask, answer, webhooks, startAgain } = await scene([webhook(receiver.url)], { claim });
    const second = await startAgain({ storage: { read: async () => undefined, write: async () => {} } });
    const delivered = () => (webhooks.status()[0]?.delivered ?? 0) + (second.status()[0]?.delivered ?? 0);
    await answer(await ask());
    await until(() => delivered() === 2);
    expect(receiver.received).toHaveLength(2);
  });

  it("start with what they can read of a damaged file, and log that", async () => {
    const receiver = await startReceiver();
    const { ask, log, startAgain } = await scene([], {});
    const broken = { read: async () => '{"waiting": [{"to": 1}], "told"', write: async () => {} };
    const webhooks = await startAgain({ targets: [webhook(receiver.url)], storage: broken });
    await ask();
    await until(() => webhooks.status()[0]?.delivered === 1);
    expect(log).toContainEqual({ level: "warn", message: "The pending webhooks could not be read." });
  });

  it("drop the oldest when more than 1,000 wait", async () => {
    const receiver = await startReceiver();
    const { ask, webhooks } = await scene([webhook(receiver.url)], {
      fetch: () => Promise.reject(new Error("down")),
    });
    for (let count = 0; count < 1_003; count += 1) await ask(`ask ${count}`);
    await until(() => webhooks.status()[0]?.failed === 3);
    expect(webhooks.status()[0]).toMatchObject({ waiting: 1_000, trouble: "down" });
  });
});

function order({ received }: { received: readonly { headers: Record<string, unknown> }[] }, id: string): number {
  return received.findIndex(({ headers }) => headers["webhook-id"] === id);
}
