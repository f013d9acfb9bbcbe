import { startRedis } from "@askbox/store-redis/testing";
import { expect, onTestFinished, test } from "vitest";
import { checkHistory } from "../faults/history/check.ts";
import { allSessions } from "../faults/support/questions.ts";
import { patience, rounds, seededChance } from "../faults/support/rounds.ts";
import { spend, until } from "../faults/support/until.ts";
import { askerOf, comeBack, person, type Scene, stdioAgent, wireAsker } from "../faults/traffic/actors.ts";
import { createRecorder, outcomeText } from "../faults/traffic/recorder.ts";
import { type Member, startCluster } from "./support/cluster.ts";

/** Two at a time share a name, so that calls of one asker run beside each other, at different hubs. */
const wireAgents = ["w1", "w1", "w2", "w3"];
const stdioAgents = ["s1", "s2"];
const people = ["ada", "bob"];

test("of three hubs over one Redis, killed at random points of the traffic, none loses an answer, gives a session two winners, hands a call an outcome twice or invents one", {
  timeout: patience(180_000),
}, async () => {
  const chance = seededChance("killed hubs over one Redis");
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const { members, outside: home } = await startCluster(() => redis.url);
  const recorder = createRecorder();
  const end = new AbortController();
  const scene: Scene = { home, recorder, ended: end.signal };
  const actors = [
    ...wireAgents.map((agentId, index) => wireAsker(scene, agentId, chance.branch(index))),
    ...stdioAgents.map((agentId, index) => stdioAgent(scene, agentId, chance.branch(100 + index))),
    ...people.map((name, index) => person(scene, name, chance.branch(200 + index))),
  ];
  const failed = Promise.all(actors).then(() => new Promise<never>(() => {}));

  const killing = async () => {
    const coming = new Map<Member, Promise<void>>();
    for (let kill = 0; kill < rounds(25); kill += 1) {
      const seen = recorder.history.length;
      const more = chance.between(1, 40);
      await until(`${more} things happen after kill ${kill}`, () => recorder.history.length >= seen + more, 60_000);
      // One is left at least, for whoever was at the others.
      while (coming.size > 1) await Promise.race(coming.values());
      const victim = chance.pick(members.filter((member) => !coming.has(member)));
      await spend(chance.between(0, 3));
      await victim.kill();
      coming.set(
        victim,
        victim.start().then(() => void coming.delete(victim)),
      );
    }
    await Promise.all(coming.values());
  };
  try {
    await Promise.race([killing(), failed]);
  } finally {
    end.abort();
    await Promise.allSettled(actors);
  }
  await Promise.all(actors);

  const { desk } = await home.connect({ role: "desk" });
  await until(
    "everything that was settled has reached its asker",
    async () => {
      await comeBack(scene, [...new Set(wireAgents)], stdioAgents);
      const handed = new Set(recorder.history.flatMap((event) => (event.type === "handed" ? [event.session] : [])));
      return (await allSessions(desk)).every(({ id, status }) => status === "pending" || handed.has(id));
    },
    60_000,
  );
  const sessions = await allSessions(desk);
  for (const session of sessions) {
    recorder.record({ type: "stored", session: session.id, asker: askerOf(session), outcome: outcomeText(session.outcome) });
  }

  expect(checkHistory(recorder.history)).toEqual([]);
  const counted = (type: string) => recorder.history.filter((event) => event.type === type).length;
  // Without traffic the checker would have nothing to find.
  expect(counted("acknowledged")).toBeGreaterThan(rounds(25));
  process.stdout.write(
    `${rounds(25)} kills: ${counted("called")} calls, ${sessions.length} sessions, ${counted("sent")} answers sent, ` +
      `${counted("acknowledged")} acknowledged, ${counted("refused")} refused, ${counted("handed")} outcomes handed over.\n`,
  );
});
