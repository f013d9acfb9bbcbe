/** @module-tag redis */

import { homeFolders, readDeskFile } from "@askbox/home";
import { startRedis } from "@askbox/store-redis/testing";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { type Member, startCluster } from "./support/cluster.ts";

/** Two hubs on the test's own Redis. */
async function twoHubs() {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const [a, b] = (await startCluster(() => redis.url, 2)).members as [Member, Member];
  return { redis, a, b };
}

test("askbox hub status lists the other hubs of the inbox, and a hub has eight connections to Redis", async () => {
  const { redis, a, b } = await twoHubs();
  await until("the first hub has heard where the second is", async () => {
    const { stdout } = await a.home.run(["hub", "status"]);
    return stdout.includes(`1 more on this store: ${b.home.hub()?.url}`);
  });
  const ofHubs = async () =>
    (await redis.command<string>("CLIENT", "LIST")).split("\n").filter((line) => line.includes("name=askbox") || /lib-name=\S+/.test(line));
  await until("each of two hubs has eight connections", async () => (await ofHubs()).length === 16);
  await b.kill();
  await until("those of the killed hub are gone, and no others", async () => (await ofHubs()).length === 8);
});

test("an agent that is registered at one hub is known at another, which shares its two tokens", async () => {
  const { a, b } = await twoHubs();
  expect((await a.home.run(["agent", "add", "builder"])).code).toBe(0);
  expect((await b.home.run(["agent", "list"])).stdout).toBe("builder\n");
  const tokens = ({ home }: Member) => [home.hub()?.askerToken, readDeskFile(homeFolders({ env: home.env }))?.deskToken];
  expect(tokens(a)).toEqual(tokens(b));
  expect(new Set(tokens(a)).size).toBe(2);
  await a.kill();
  await a.start();
  expect(tokens(a)).toEqual(tokens(b));
});
