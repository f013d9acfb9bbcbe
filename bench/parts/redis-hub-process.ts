import { createBroker, type SessionStore } from "@askbox/core";
import { createHub, hashToken, nodePlatform, tokenVerifier } from "@askbox/hub";
import { openRedisShared, openRedisStore } from "@askbox/store-redis";

/**
 * One of several hubs over one Redis, in a process of its own. Its parent gives the Redis' URL and the tokens, and may ask when the hub gave each
 * outcome to its store: nanoseconds of the machine's monotonic clock, which all processes share.
 */
const [url, askerToken, deskToken] = process.argv.slice(2);
if (url === undefined || askerToken === undefined || deskToken === undefined || process.send === undefined) {
  throw new Error("This hub is started by a benchmark.");
}

const answeredAt: Record<string, string> = {};
const platform = nodePlatform();
const [store, shared] = await Promise.all([openRedisStore({ url }), openRedisShared({ url })]);

/** Notes the moment before an outcome is given to Redis. */
const replace: SessionStore["replace"] = (record, expectedRevision) => {
  if (record.state !== "pending") answeredAt[record.id] ??= String(process.hrtime.bigint());
  return store.replace(record, expectedRevision);
};
const noting = new Proxy<SessionStore>(store, {
  get(target, property) {
    if (property === "replace") return replace;
    const value: unknown = Reflect.get(target, property, target);
    return typeof value === "function" ? value.bind(target) : value;
  },
});
const broker = await createBroker({ ...platform, store: noting, shared });
const hub = createHub({
  broker,
  platform,
  version: "0.0.0",
  instance: `bench-${process.pid}`,
  tokens: tokenVerifier([
    { hash: hashToken(askerToken), grant: { owner: "local", scopes: ["asker"] } },
    { hash: hashToken(deskToken), grant: { owner: "local-desk", scopes: ["desk"] } },
  ]),
  limits: { asksPerMinute: Number.MAX_SAFE_INTEGER, requestsPerMinute: Number.MAX_SAFE_INTEGER, pending: Number.MAX_SAFE_INTEGER },
  control: { status: async () => ({}), stop: async () => {} },
});
process.on("message", () => process.send?.(answeredAt));
process.on("disconnect", () => process.exit());
process.send({ url: await hub.listen() });
