import { rename } from "node:fs/promises";
import { join } from "node:path";
import { type RedisProcess, startRedis } from "@askbox/store-redis/testing";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { openHome } from "./support/home.ts";

/** Asks at a hub on this Redis, and returns what the next hub lists; `between` is done while none runs. */
async function twoHubs(redis: RedisProcess, between: () => Promise<unknown>) {
  const home = await openHome();
  onTestFinished(() => home.close());
  const env = { ASKBOX_STORE: redis.url };
  const first = home.start(["hub", "--json"], { env });
  await first.says(/"url"/);
  home.start(["ask", "Which way?", "--json"], { env });
  const { id } = await until(
    "the question",
    async () => JSON.parse((await home.run(["list", "--json"], { env })).stdout)[0] as { id: string },
  );
  await home.run(["hub", "stop"], { env });
  await first.done;
  await between();
  await home.start(["hub", "--json"], { env }).says(/"url"/);
  const list = (await home.run(["list", "--json"], { env })).stdout;
  const status = (await home.run(["hub", "status"], { env })).stdout;
  const doctor = (await home.run(["doctor"], { env })).stdout.replace(/\s+/g, " ");
  return { id, list, status, doctor };
}

// promise: redis-restore-brings-all
test("a snapshot of Redis is restored as the docs say", { tags: "redis" }, async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const { folder } = redis;
  const { id, list, status } = await twoHubs(redis, async () => {
    // As `redis-cli --rdb` writes it, to where Redis looks for it.
    await redis.command("SAVE");
    await redis.kill();
    await rename(join(folder, "appendonlydir"), join(folder, "before"));
    await redis.start({ appendonly: "no" });
    await redis.command("CONFIG", "SET", "appendonly", "yes");
    await until("the append-only files", async () =>
      (await redis.command<string>("INFO", "persistence")).includes("aof_rewrite_in_progress:0"),
    );
    await redis.kill();
    await redis.start();
  });
  expect(list).toContain(id);
  expect(status).not.toContain("has nothing of the inbox");
});

test("a hub whose Redis is empty says what is gone", { tags: "redis" }, async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const { list, status, doctor } = await twoHubs(redis, () => redis.command("FLUSHALL"));
  expect(JSON.parse(list)).toEqual([]);
  for (const said of [status, doctor]) expect(said).toContain("has nothing of the inbox that this hub has served there before");
});
