export type { RedisDurability, ServerFacts } from "./durability.ts";
export type { RedisMeter } from "./link.ts";
export { inspectRedis, openRedisStore, type RedisStore, type RedisStoreOptions } from "./redis-store.ts";
export { isRedisUrl, redisLabel } from "./redis-url.ts";
export { openRedisElicitation, type RedisElicitation } from "./shared/elicitation.ts";
export { openRedisShared, type RedisSharedOptions } from "./shared/redis-shared.ts";
