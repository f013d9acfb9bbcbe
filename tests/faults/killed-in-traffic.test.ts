import { expect, test } from "vitest";
import { checkHistory } from "./history/check.ts";
import { faultHome } from "./support/home.ts";
import { killProcess } from "./support/processes.ts";
import { allSessions } from "./support/questions.ts";
import { patience, rounds, seededChance } from "./support/rounds.ts";
import { spend, until } from "./support/until.ts";
import { askerOf, comeBack, person, type Scene, stdioAgent, wireAsker } from "./traffic/actors.ts";
import { createRecorder, outcomeText } from "./traffic/recorder.ts";

/** Two at a time share a name, so that calls of one asker run beside each other. */
const wireAgents = ["w1", "w1", "w2", "w3"];
const stdioAgents = ["s1", "s2"];
const people = ["ada", "bob"];

test("killed at random points of the traffic, the hub loses no answer, has one winner a session, hands no call an outcome twice and invents none", {
  timeout: patience(120_000),
}, async () => {
  const chance = seededChance("killed in traffic");
  const home = faultHome();
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
    let last: string | undefined;
    for (let kill = 0; kill < rounds(25); kill += 1) {
      const hub = await until("a hub serves", () => {
        const present = home.hub();
        return present !== undefined && present.instance !== last && present;
      });
      last = hub.instance;
      const seen = recorder.history.length;
      const more = chance.between(1, 40);
      await until(`${more} things happen after kill ${kill}`, () => recorder.history.length >= seen + more);
      await spend(chance.between(0, 3));
      killProcess(hub.pid);
    }
  };
  try {
    await Promise.race([killing(), failed]);
  } finally {
    end.abort();
    await Promise.allSettled(actors);
  }
  await Promise.all(actors);

  const { desk } = await home.connect({ role: "desk", start: true });
  await until("everything that was settled has reached its asker", async () => {
    await comeBack(scene, [...new Set(wireAgents)], stdioAgents);
    const handed = new Set(recorder.history.flatMap((event) => (event.type === "handed" ? [event.session] : [])));
    return (await allSessions(desk)).every(({ id, status }) => status === "pending" || handed.has(id));
  });
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
