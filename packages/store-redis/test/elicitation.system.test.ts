import { afterAll, beforeAll, expect, test } from "vitest";
import { openRedisElicitation, type RedisElicitation } from "../src/index.ts";
import { type RedisProcess, startRedis } from "../src/testing/index.ts";
import { until } from "./support.ts";

let redis: RedisProcess;
let one: RedisElicitation;
let other: RedisElicitation;
beforeAll(async () => {
  redis = await startRedis();
  const url = `${redis.url}?timeout=1000`;
  [one, other] = [await openRedisElicitation({ url }), await openRedisElicitation({ url })];
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await redis.stop();
});

const odd = `\u0000{}*\ud800 "'\\\n${"😀".repeat(50_000)}`;

test("returns stored values to every process, unchanged", async () => {
  expect(await one.get(odd)).toBeUndefined();
  expect(await one.replace(odd, undefined, odd, 60_000)).toBe(true);
  expect(await other.get(odd)).toBe(odd);
  expect(await other.replace(odd, odd, "", 60_000)).toBe(true);
  expect(await one.get(odd)).toBe("");
});

test("lets exactly one of many take a value", async () => {
  await one.replace("taken", undefined, "open", 60_000);
  const takers = Array.from({ length: 40 }, (_, index) =>
    (index % 2 === 0 ? one : other).replace("taken", "open", `used ${index}`, 60_000),
  );
  const won = (await Promise.all(takers)).flatMap((isFirst, index) => (isFirst ? [`used ${index}`] : []));
  expect(won).toHaveLength(1);
  expect(await one.get("taken")).toBe(won[0]);
});

test("removes an expired value from Redis", async () => {
  await one.replace("short", undefined, "here", 200);
  expect(await one.replace("short", undefined, "again", 200)).toBe(false);
  await until(async () => (await other.get("short")) === undefined);
  expect(await redis.command("EXISTS", "{askbox}:elicit:short")).toBe(0);
  expect(await other.replace("short", undefined, "again", 60_000)).toBe(true);
});

test("fails with STORE_UNAVAILABLE while Redis is killed, and then has what it confirmed", { tags: "redis" }, async () => {
  await one.replace("kept", undefined, "answer", 60_000);
  await redis.kill();
  await expect(one.get("kept")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await expect(one.replace("meanwhile", undefined, "x", 60_000)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await redis.start();
  await until(async () => (await other.get("kept").catch(() => undefined)) === "answer");
  await until(() => one.replace("after", undefined, "x", 60_000).catch(() => false));
});

test("rejects everything once it is closed", async () => {
  const third = await openRedisElicitation({ url: redis.url });
  await third.close();
  await third.close();
  await expect(third.get("key")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});
