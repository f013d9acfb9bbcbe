import { type Clock, createBroker } from "@askbox/core";
import { severalHubs } from "@askbox/core/hubs";
import { createHub, hashToken, nodePlatform, tokenVerifier } from "@askbox/hub";
import { openRedisShared, openRedisStore } from "@askbox/store-redis";

/**
 * A hub over a Redis, in a process of its own, that shares its named tokens. Its parent gives the Redis' URL and the desk token; it may say `later`, to
 * move the hub's clock on by ten minutes with all that is due until then, and ask for the `cpu` time spent so far.
 */
const [url, deskToken] = process.argv.slice(2);
if (url === undefined || deskToken === undefined || process.send === undefined) throw new Error("This hub is started by a benchmark.");

const platform = nodePlatform();
const timers = new Map<() => void, () => void>();
let ahead = 0;
const clock: Clock = {
  now: () => platform.clock.now() + ahead,
  monotonic: () => platform.clock.monotonic(),
  setTimer(delay, callback) {
    const cancel = platform.clock.setTimer(delay, () => run());
    const run = () => {
      timers.delete(run);
      cancel();
      callback();
    };
    if (delay <= 600_000) timers.set(run, cancel);
    return () => {
      timers.delete(run);
      cancel();
    };
  },
};
const [store, shared] = await Promise.all([openRedisStore({ url }), openRedisShared({ url })]);
const hub = createHub({
  broker: await createBroker({ ...platform, store, hubs: severalHubs(shared) }),
  platform: { ...platform, clock },
  version: "0.0.0",
  instance: `bench-${process.pid}`,
  tokens: tokenVerifier([{ hash: hashToken(deskToken), access: { owner: "local-desk", scopes: ["desk"] } }]),
  cluster: { shared, name: "bench" },
  limits: { asksPerMinute: Number.MAX_SAFE_INTEGER, requestsPerMinute: Number.MAX_SAFE_INTEGER, pending: Number.MAX_SAFE_INTEGER },
  control: { status: async () => ({}), stop: async () => {} },
});
process.on("message", (message) => {
  if (message === "later") {
    ahead += 600_000;
    for (const run of [...timers.keys()]) run();
  }
  process.send?.(process.cpuUsage());
});
process.on("disconnect", () => process.exit());
process.send({ url: await hub.listen() });
