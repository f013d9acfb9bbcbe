/** What tests with Redis share: servers that can be killed, paused, disconnected and failed over. For tests only. */

export { type RedisCluster, startCluster } from "./cluster.ts";
export { type CutProxy, cutProxy } from "./cut-proxy.ts";
export { freePort } from "./free-port.ts";
export type { LateDelivery } from "./late-delivery.ts";
export { type RedisProcess, type RedisProcessOptions, redisProgram, startRedis } from "./redis-process.ts";
export { type Sentinels, startSentinels } from "./sentinels.ts";
