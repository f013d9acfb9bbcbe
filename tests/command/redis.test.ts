import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type RedisProcess, startRedis } from "@askbox/store-redis/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, openHome } from "./support/home.ts";

const password = "s3cret-of-the-team";
let home: Home;
let redis: RedisProcess;
beforeEach(async () => {
  [home, redis] = await Promise.all([openHome(), startRedis({ settings: { requirepass: password, appendfsync: "everysec" } })]);
});
afterEach(async () => {
  await home.close();
  await redis.stop();
});

const command = <Reply>(...args: string[]) => redis.command<Reply>(...args);

describe("askbox hub on Redis", () => {
  // promise: redis-durability-reported
  test("stores questions there, reports how durable they are, and shows the password nowhere", { tags: "redis" }, async () => {
    const env = { ASKBOX_STORE: `redis://:${password}@127.0.0.1:${redis.port}/0?timeout=1000` };
    const hub = home.start(["hub", "--json"], { env });
    const [line] = await hub.says(/\{.*\}/);
    const { url } = JSON.parse(line ?? "") as { url: string };
    const asked = home.start(["ask", "Which way?", "--json"], { env });
    await expect.poll(() => command<number>("HLEN", "{askbox}:sessions")).toBe(1);
    const [session] = JSON.parse((await home.run(["list", "--json"], { env })).stdout) as { id: string }[];

    const status = await home.run(["hub", "status"], { env });
    expect(status.stdout).toContain(`redis://127.0.0.1:${redis.port}: Redis`);
    expect(status.stdout).toContain("set appendfsync always");
    const doctor = await home.run(["doctor"], { env });
    expect(doctor.stdout).toContain("set appendfsync always");
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ready", store: { level: "unsure" } }]);

    await redis.kill();
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
    const refused = await home.run(["answer", session?.id ?? "", "wrong"], { env });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("cannot be reached; nothing was changed");
    await redis.start();
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);

    expect((await home.run(["answer", session?.id ?? "", "left"], { env })).code).toBe(0);
    const result = await asked.done;
    expect(JSON.parse(result.stdout)).toMatchObject({ answered: true, answers: [{ values: ["left"] }] });

    const log = await readFile(join(home.path, "logs", "hub.log"), "utf8").catch(() => "");
    for (const shown of [status, doctor, refused, result, await home.run(["hub", "stop"], { env })]
      .map(({ stdout, stderr }) => stdout + stderr)
      .concat(log)) {
      expect(shown).not.toContain(password);
    }
  });

  test("reports in one sentence that Redis cannot be used, and does not start", async () => {
    const env = { ASKBOX_STORE: `redis://:wrong-s3cret@127.0.0.1:${redis.port}` };
    const ran = await home.spawn(["hub", "--json"], { env });
    expect(ran.code).not.toBe(0);
    expect(ran.stderr.trim().split("\n")).toHaveLength(1);
    expect(ran.stderr).toContain("does not accept the user and password");
    expect(ran.stderr + ran.stdout).not.toContain("s3cret");
  });
});
