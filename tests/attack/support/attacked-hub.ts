import { readDeskFile } from "@askbox/home";
import { freePort } from "@askbox/store-redis/testing";
import { onTestFinished } from "vitest";
import { askbox, type FaultHome, faultHome } from "../../faults/support/home.ts";
import { connectInspector } from "../../soak/inspector.ts";

const megabyte = 1_048_576;

/** What an attack has cost the hub's process. */
export interface Cost {
  /** MB by which its resident memory was ever above what it was before. */
  memory: number;
  /** The longest time in ms in which it answered nobody. */
  stall: number;
}

/** A hub as a process of its own, looked at from outside while it is attacked. */
export interface AttackedHub {
  readonly home: FaultHome;
  readonly url: URL;
  readonly tokens: { asker: string; desk: string };
  /** Requests with one of the tokens. */
  fetch(path: string, options: { as: "asker" | "desk"; method?: string; body?: object }): Promise<Response>;
  /** What has been spent since the hub was started, or since the last call. */
  cost(): Promise<Cost>;
}

/** Looks at itself ten times a second; what it looks with is its own memory. */
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
