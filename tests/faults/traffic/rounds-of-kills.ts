import { expect } from "vitest";
import { spend, until } from "../../support/until.ts";
import { checkHistory } from "../history/check.ts";
import { allSessions } from "../support/questions.ts";
import type { Chance } from "../support/rounds.ts";
import { comeBack, hasArrived, person, recordStored, type Scene, stdioAgent, wireAsker } from "./actors.ts";
import { createRecorder } from "./recorder.ts";

/** Two share a name, so that calls of one asker run concurrently. */
const wireAgents = ["w1", "w1", "w2", "w3"];
const stdioAgents = ["s1", "s2"];
const people = ["ada", "bob"];

interface RoundsOfKills {
  chance: Chance;
  home: Scene["home"];
  /** Called before each kill: resolves with how, once there is a hub to kill. */
  next: () => Promise<() => unknown>;
  /** Resolves when the killed hub serves again. */
  recovered?: () => Promise<unknown>;
  kills: number;
  /** Timeouts, in ms. */
  most: number;
}

/** Lets agents ask and people answer while hubs are killed at random points, and checks the observations against the rules. */
export async function surviveKills({ chance, home, next, recovered, kills, most }: RoundsOfKills): Promise<void> {
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
    for (let kill = 0; kill < kills; kill += 1) {
      const strike = await next();
      const seen = recorder.history.length;
      const more = chance.between(1, 40);
      await until(`${more} things happen after kill ${kill}`, () => recorder.history.length >= seen + more, most);
      await spend(chance.between(0, 3));
      await strike();
    }
    await recovered?.();
  };
  try {
    await Promise.race([killing(), failed]);
  } finally {
    end.abort();
    await Promise.allSettled(actors);
  }
  await Promise.all(actors);

  const { desk } = await home.connect({ role: "desk", start: true });
  await until(
    "everything that was settled has reached its asker",
    async () => {
      await comeBack(scene, [...new Set(wireAgents)], stdioAgents);
      return hasArrived(recorder, await allSessions(desk));
    },
    most,
  );
  const sessions = await allSessions(desk);
  for (const session of sessions) await recordStored(scene, session);

  expect(checkHistory(recorder.history)).toEqual([]);
  const counted = (type: string) => recorder.history.filter((event) => event.type === type).length;
  // Without traffic the checker would have nothing to find.
  expect(counted("acknowledged")).toBeGreaterThan(kills);
  expect(counted("given")).toBeGreaterThan(0);
  expect(counted("uploaded")).toBeGreaterThan(0);
  process.stdout.write(
    `${kills} kills: ${counted("called")} calls, ${sessions.length} sessions, ${counted("sent")} answers sent, ` +
      `${counted("acknowledged")} acknowledged, ${counted("refused")} refused, ${counted("handed")} outcomes handed over, ` +
      `${counted("uploaded")} files, ${counted("wrote")} messages written, ${counted("given")} given.\n`,
  );
}
