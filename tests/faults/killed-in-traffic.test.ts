import { test } from "vitest";
import { until } from "../support/until.ts";
import { faultHome } from "./support/home.ts";
import { killProcess } from "./support/processes.ts";
import { rounds, seededChance, timeout } from "./support/rounds.ts";
import { surviveKills } from "./traffic/rounds-of-kills.ts";

// promise: answer-on-disk-first, no-invented-outcome, outcome-may-come-again, outcome-once-per-call
test("killed at random points of the traffic, the hub loses no answer, has one winner per session, delivers no outcome twice to a call and invents none", {
  timeout,
}, async () => {
  const home = faultHome();
  let last: string | undefined;
  await surviveKills({
    chance: seededChance("killed in traffic"),
    home,
    kills: rounds(10),
    most: 30_000,
    async next() {
      const hub = await until("a hub serves", () => {
        const present = home.hub();
        return present !== undefined && present.instance !== last && present;
      });
      last = hub.instance;
      return () => killProcess(hub.pid);
    },
  });
});
