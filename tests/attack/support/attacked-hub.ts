import { readDeskFile } from "@askbox/home";
import { freePort } from "@askbox/store-redis/testing";
import { expect, onTestFinished } from "vitest";
import { askbox, type FaultHome, faultHome } from "../../faults/support/home.ts";
import { connectInspector } from "../../soak/inspector.ts";

const megabyte = 1_048_576;

/** The cost of an attack for the hub's process. */
interface Cost {
  /** The maximum increase of its resident memory, in MB. */
  memory: number;
  /** The most processor time in ms that its thread took at once, answering nobody. */
  stall: number;
}

/** A hub as a separate process, observed from outside while it is attacked. */
export interface AttackedHub {
  readonly home: FaultHome;
  readonly url: URL;
  readonly tokens: { asker: string; desk: string };
  /** Requests with one of the tokens. */
  fetch(path: string, options: { as: "asker" | "desk"; method?: string; body?: object }): Promise<Response>;
  /** How much processor time in ms its thread takes until a person's request for this path is answered: how long a person waits, without neighbours. */
  wait(path: string): Promise<number>;
  /** The cost since the hub was started, or since the last call. */
  cost(): Promise<Cost>;
}

/**
 * Samples its memory ten times a second; the sampling needs memory itself. What its thread computes between two ticks of
 * a timer is how long it answers nobody, on a machine of any speed and with any neighbours.
 */
const watchItself = `(() => {
  const computed = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
  const seen = { most: 0, base: process.memoryUsage.rss(), stall: 0, last: computed(), computed };
  seen.tick = () => { const now = computed(); seen.stall = Math.max(seen.stall, now - seen.last); seen.last = now; };
  setInterval(seen.tick, 10).unref();
  setInterval(() => { seen.most = Math.max(seen.most, process.memoryUsage.rss()); }, 100).unref();
  globalThis.attack = seen;
})()`;

const readItself = `(() => {
  const seen = globalThis.attack;
  seen.tick();
  const cost = { memory: Math.max(seen.most, process.memoryUsage.rss()) - seen.base, stall: seen.stall };
  seen.stall = 0;
  seen.most = 0;
  return cost;
})()`;

export async function attackedHub(env: Record<string, string> = {}): Promise<AttackedHub> {
  const home = faultHome({ env });
  const port = await freePort();
  const [node = "", script = ""] = askbox;
  await home.startHub({ command: [node, `--inspect=127.0.0.1:${port}`, script, "hub", "--json"] });
  const inspector = await connectInspector(port);
  onTestFinished(() => inspector.close());
  const { folder } = home;
  const desk = readDeskFile({ data: folder, config: folder, runtime: folder, logs: folder })?.deskToken ?? "";
  const { url = "", askerToken: asker = "" } = home.hub() ?? {};
  const tokens = { asker, desk };
  await inspector.collectGarbage();
  await inspector.evaluate(watchItself);
  const ask: AttackedHub["fetch"] = (path, { as, method = "GET", body }) =>
    fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${tokens[as]}`,
        // Like a command's: an idle connection is closed after 5 s, which a busy hub notices before a request that has just arrived on it.
        connection: "close",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const computed = () => inspector.evaluate<number>("globalThis.attack.computed()");
  return {
    home,
    tokens,
    url: new URL(url),
    fetch: ask,
    async wait(path) {
      const before = await computed();
      const response = await ask(path, { as: "desk" });
      await response.arrayBuffer();
      expect(response.status).toBe(200);
      return (await computed()) - before;
    },
    async cost() {
      const { memory, stall } = await inspector.evaluate<Cost>(readItself);
      return { memory: memory / megabyte, stall };
    },
  };
}
