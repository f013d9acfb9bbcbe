import { readDeskFile } from "@askbox/home";
import { freePort } from "@askbox/store-redis/testing";
import { onTestFinished } from "vitest";
import { askbox, type FaultHome, faultHome } from "../../faults/support/home.ts";
import { connectInspector } from "../../soak/inspector.ts";

const megabyte = 1_048_576;

/** The cost of an attack for the hub's process. */
export interface Cost {
  /** The maximum increase of its resident memory, in MB. */
  memory: number;
  /** The longest time in ms without a response. */
  stall: number;
}

/** A hub as a separate process, observed from outside while it is attacked. */
export interface AttackedHub {
  readonly home: FaultHome;
  readonly url: URL;
  readonly tokens: { asker: string; desk: string };
  /** Requests with one of the tokens. */
  fetch(path: string, options: { as: "asker" | "desk"; method?: string; body?: object }): Promise<Response>;
  /** The cost since the hub was started, or since the last call. */
  cost(): Promise<Cost>;
}

/** Samples itself ten times a second; the sampling needs memory itself. */
const watchItself = `(() => {
  const { monitorEventLoopDelay } = process.getBuiltinModule("node:perf_hooks");
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const seen = { delay, most: 0, base: process.memoryUsage.rss() };
  seen.timer = setInterval(() => { seen.most = Math.max(seen.most, process.memoryUsage.rss()); }, 100);
  seen.timer.unref();
  globalThis.attack = seen;
})()`;

const readItself = `(() => {
  const seen = globalThis.attack;
  const rss = process.memoryUsage.rss();
  const cost = { memory: Math.max(seen.most, rss) - seen.base, stall: seen.delay.max / 1e6 };
  seen.delay.reset();
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
  return {
    home,
    tokens,
    url: new URL(url),
    fetch: (path, { as, method = "GET", body }) =>
      fetch(new URL(path, url), {
        method,
        headers: { authorization: `Bearer ${tokens[as]}`, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async cost() {
      const { memory, stall } = await inspector.evaluate<Cost>(readItself);
      return { memory: memory / megabyte, stall };
    },
  };
}
