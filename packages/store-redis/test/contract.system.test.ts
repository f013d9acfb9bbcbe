import { blobsContract, durableStoreContract, severalWritersContract, storeContract } from "@askbox/core/testing";
import { afterAll, beforeAll, describe, test } from "vitest";
import { openRedisBlobs } from "../src/blobs.ts";
import { openRedisStore } from "../src/index.ts";
import { type RedisProcess, startRedis } from "../src/testing/index.ts";

let redis: RedisProcess;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

let spaces = 0;
const harness = () => {
  spaces += 1;
  const url = `${redis.url}?prefix=space-${spaces}`;
  const open = () => openRedisStore({ url });
  return { open, reopen: open };
};

describe("the Redis store", () => {
  // promise: redis-same-guarantees
  for (const contractCase of storeContract) test(contractCase.name, () => contractCase.run(harness()));
});

describe("the Redis store, reopened or opened twice,", { tags: "redis" }, () => {
  for (const contractCase of [...durableStoreContract, ...severalWritersContract])
    test(contractCase.name, () => contractCase.run(harness()));
});

describe("the files in Redis", { tags: "redis" }, () => {
  for (const contractCase of blobsContract) {
    test(contractCase.name, () => {
      spaces += 1;
      const url = `${redis.url}?prefix=space-${spaces}`;
      return contractCase.run({ durable: true, open: () => openRedisBlobs({ url }) });
    });
  }
});
