import { isAlive } from "../../faults/support/processes.ts";
import { allSessions } from "../../faults/support/questions.ts";
import type { Chance } from "../../faults/support/rounds.ts";
import { comeBack, hasArrived, person, recordStored, stdioAgent, wireAsker } from "../../faults/traffic/actors.ts";
import { until } from "../../support/until.ts";

import { httpAgent, sessionAgent } from "./mcp-over-http.ts";
import { pageReader } from "./pages.ts";
import { restAsker } from "./rest.ts";
import { eventReader, lookingSurface } from "./surfaces.ts";
import { leftAlone, type SoakTarget } from "./target.ts";

const wireAgents = ["w1", "w1", "w2"];
const stdioAgents = ["s1", "s2"];
const people = ["ada", "bob"];
const others = [
  { actor: httpAgent, names: ["h1", "h1", "h2", "h3"] },
  { actor: sessionAgent, names: ["o1", "o2"] },
  { actor: restAsker, names: ["r1", "r2", "r3"] },
  { actor: lookingSurface, names: ["eve", "kim"] },
  { actor: eventReader, names: ["e1"] },
  { actor: pageReader, names: ["p1"] },
] as const;

/** A hub pauses while its heap is walked, on a busy machine for longer than clients wait. That it is alive is checked differently. */
const isExcused = (message: string) => message.includes("did not start within");

/** Traffic that continues until it is stopped. */
export interface Traffic {
  /** Rejects if somebody saw something unexpected. */
  failed: Promise<never>;
  /** Lets everybody finish what they have started, agents before people; resolves when all are done. */
  end(): Promise<void>;
  /** Askers fetch what was left, and the store's contents are added to the history. */
  complete(): Promise<void>;
}

export function startTraffic(target: Omit<SoakTarget, "ended" | "isLeftAlone" | "isExcused">, chance: Chance): Traffic {
  const agents = new AbortController();
  const answering = new AbortController();
  const isLeftAlone: SoakTarget["isLeftAlone"] = ({ asker }) => asker.client.name.startsWith(leftAlone);
  const common = { ...target, isLeftAlone, isExcused };
  const asAgent: SoakTarget = { ...common, ended: agents.signal };
  const asPerson: SoakTarget = { ...common, ended: answering.signal };
  let branch = 0;
  const next = () => {
    branch += 1;
    return chance.branch(branch);
  };
  const asking = [
    ...wireAgents.map((agentId) => wireAsker(asAgent, agentId, next())),
    ...stdioAgents.map((agentId) => stdioAgent(asAgent, agentId, next())),
    ...others.flatMap(({ actor, names }) => names.map((name) => actor(asAgent, name, next()))),
  ];
  const persons = people.map((name) => person(asPerson, name, next()));
  const failed = Promise.all([...asking, ...persons]).then(() => new Promise<never>(() => {}));
  // The code that stops the traffic awaits everybody, too.
  failed.catch(() => {});
  return {
    failed,
    async end() {
      agents.abort();
      try {
        await Promise.all(asking);
      } finally {
        answering.abort();
        await Promise.all(persons);
      }
    },
    async complete() {
      const { home, recorder } = target;
      const { desk, close } = await home.connect({ role: "desk" });
      const ours = async () => (await allSessions(desk)).filter((session) => !isLeftAlone(session));
      await until("everything that was settled has reached its asker", async () => {
        await comeBack(asPerson, [...new Set(wireAgents)], stdioAgents);
        return hasArrived(recorder, await ours());
      });
      for (const session of await ours()) await recordStored(asPerson, session);
      close();
    },
  };
}

/** Throws when the hub is gone. */
export function mustLive(pid: number): void {
  if (!isAlive(pid)) throw new Error("The hub ended in the midst of the traffic.");
}
