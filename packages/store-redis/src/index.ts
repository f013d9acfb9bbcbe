export type { RedisMeter } from "./link.ts";
export { inspectRedis, openRedisStore, type RedisStore, type RedisStoreOptions } from "./redis-store.ts";
export { isRedisUrl, redisLabel } from "./redis-url.ts";
export { openRedisElicitation, openRedisShared, type RedisElicitation, type RedisSharedOptions } from "./shared.ts";
export type { RedisDurability, ServerFacts } from "./writer.ts";
