import { setTimeout as pass } from "node:timers/promises";
import type { SharedState } from "@askbox/core";
import { keptRan } from "@askbox/core/stores";
import { ranContract, sharedContract } from "@askbox/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRedisShared } from "../src/index.ts";
import { type RedisProcess, startRedis } from "../src/testing/index.ts";
import { until } from "./support.ts";

let redis: RedisProcess;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

let spaces = 0;
const space = () => {
  spaces += 1;
  const url = `${redis.url}?prefix=shared-${spaces}`;
  return { open: () => openRedisShared({ url }), pass: (ms: number) => pass(ms), until };
};

const openRan = async () => {
  const { open } = space();
  const opened: SharedState[] = [];
  let passed = 0;
  const now = () => 1_700_000_000_000 + passed;
  const another = async () => {
    const shared = await open();
    opened.push(shared);
    return keptRan(shared, { now, keep: 86_400_000 });
  };
  return {
    ran: await another(),
    another,
    now,
    async pass(ms: number) {
      passed += ms;
    },
    close: async () => void (await Promise.all(opened.map((shared) => shared.close()))),
  };
};

describe("what ran without a person, over that state", () => {
  for (const promise of ranContract) test.concurrent(promise.name, { tags: "redis" }, () => promise.run({ open: openRan }));
});

describe("the state that hubs share on Redis", () => {
  for (const promise of sharedContract) test.concurrent(promise.name, { tags: "redis" }, () => promise.run(space()));

  test("is separate for each space", async () => {
    const [one, other] = await Promise.all([space().open(), space().open()]);
    const received: string[] = [];
    await other.subscribe("topic", (message) => void received.push(message));
    await one.swap("key", undefined, "mine", null);
    await one.publish("topic", "mine");
    await other.publish("topic", "its own");
    await until(() => received.length > 0);
    expect([await other.get("key"), received]).toEqual([undefined, ["its own"]]);
    await Promise.all([one.close(), other.close()]);
  });
});
