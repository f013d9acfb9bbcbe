import { cutProxy, startRedis } from "@askbox/store-redis/testing";
import { onTestFinished, test } from "vitest";
import { rounds, seededChance, timeout } from "../faults/support/rounds.ts";
import { surviveKills } from "../faults/traffic/rounds-of-kills.ts";
import { type Member, startCluster } from "./support/cluster.ts";

// promise: killed-hubs-lose-no-answer, redis-same-guarantees
test("three hubs over one Redis that hear of each other late, out of order and twice, killed at random points of the traffic, lose no answer, give no session two winners, deliver no outcome twice to a call, and invent none", {
  tags: "redis",
  timeout,
}, async () => {
  const chance = seededChance("killed hubs over one Redis");
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const random = chance.branch(300);
  // What one hub publishes reaches the others late, out of order and twice.
  const proxy = await cutProxy(redis.port, { most: 40, chance: () => random.between(0, 999) / 1_000 });
  onTestFinished(() => proxy.close());
  const { members, outside: home } = await startCluster(() => redis.url.replace(String(redis.port), String(proxy.port)));
  const coming = new Map<Member, Promise<void>>();
  await surviveKills({
    chance,
    home,
    kills: rounds(5),
    most: 60_000,
    async next() {
      // At least one is left for the clients of the others.
      while (coming.size > 1) await Promise.race(coming.values());
      const victim = chance.pick(members.filter((member) => !coming.has(member)));
      return async () => {
        await victim.kill();
        coming.set(
          victim,
          victim.start().then(() => void coming.delete(victim)),
        );
      };
    },
    recovered: () => Promise.all(coming.values()),
  });
});
