/** What tests over Redis share: servers of their own that can be killed, paused, cut off and failed over. For tests alone. */

export { type RedisCluster, startCluster } from "./cluster.ts";
export { type CutProxy, cutProxy } from "./cut-proxy.ts";
export { freePort } from "./free-port.ts";
export { type RedisProcess, type RedisProcessOptions, redisProgram, startRedis } from "./redis-process.ts";
export { type Sentinels, startSentinels } from "./sentinels.ts";
