import type { SessionView } from "@askbox/core";
import { expect, test } from "vitest";
import { deliveryOf, describe as described } from "../src/describe/index.ts";
import {
  actorText,
  agentText,
  headlineText,
  longDuration,
  outcomeText,
  projectText,
  roundedDuration,
  shortDuration,
} from "../src/text/index.ts";
import { aWorld } from "./support.ts";

const asGiven = (text: string) => text;
const by = { surface: "web", name: "Ada" };

async function asked(
  questions: object[],
  title?: string,
): Promise<{ view: SessionView; settle: (answer: object) => Promise<SessionView> }> {
  const world = await aWorld();
  const id = await world.ask({ questions, title } as never);
  const desk = world.broker.desk(by);
  return {
    view: await desk.get(id),
    settle: async (answer) => {
      await desk.answer(id, answer as never);
      return desk.get(id);
    },
  };
}

const confirm = { id: "q", type: "confirm", question: "**Deploy** `now`?" };
const approval = {
  id: "q",
  type: "approval",
  question: "May I?",
  action: { kind: "command", command: "git push" },
  grants: [{ value: "project", label: "In this project" }],
};

test("a pending session is who asks and what, without an outcome", async () => {
  const { view } = await asked([confirm], "Release");
  const told = described(view);
  expect(told).toMatchObject({
    who: { folder: "engine" },
    what: { kind: "yes-no", title: "Release", question: "Deploy now?", count: 1 },
    status: "pending",
  });
  expect("outcome" in told || "thread" in told).toBe(false);
});

test("a decision that lasts says for how long", async () => {
  const { settle } = await asked([approval]);
  const session = await settle({ answers: [{ questionId: "q", values: ["project"] }] });
  const { outcome } = described(session);
  expect(outcome).toMatchObject({ ending: "allowed", lasts: 8 * 3_600_000, by });
  expect(deliveryOf(session)).toBe("waits");
  expect(outcome && outcomeText(outcome, asGiven)).toBe("Allowed for 8 hours by Ada in the browser");
});

test("a set with a decision among other questions is answered, or denied if the action was", async () => {
  const set = async (value: string) => {
    const { settle } = await asked([approval, { ...confirm, id: "sure" }]);
    const answers = [
      { questionId: "q", values: [value] },
      { questionId: "sure", values: ["yes"] },
    ];
    return described(await settle({ answers })).outcome?.ending;
  };
  expect([await set("allow"), await set("deny")]).toEqual(["answered", "denied"]);
});

test("what is shown of who and what goes through the surface's own cleaning, and a name is not read as a placeholder", () => {
  const loud = (text: string) => text.toUpperCase();
  expect(actorText({ surface: "web", name: "{place}" }, asGiven)).toBe("by {place} in the browser");
  expect(actorText({ surface: "telegram", name: "ada" }, loud)).toBe("by ADA in Telegram");
  expect(actorText({ surface: "constructor", name: "Ada" }, asGiven)).toBe("by Ada in Constructor");
  expect(actorText({ surface: "client", name: "claude-code" }, asGiven)).toBe("in Claude Code (reported from there)");
  expect(actorText({ surface: "grant" }, asGiven)).toBe("by a grant");
  expect(agentText({ agent: "codex", agentId: "tests" }, loud)).toBe("CODEX (TESTS)");
  expect([
    projectText({ agent: "x", folder: "engine", branch: "main" }, asGiven),
    projectText({ agent: "x", branch: "main" }, asGiven),
    projectText({ agent: "x", folder: "engine", branch: "main", machine: "{folder}" }, loud),
    projectText({ agent: "x", machine: "build-7" }, asGiven),
  ]).toEqual(["engine (main)", "(main)", "ENGINE (MAIN) on {FOLDER}", "on build-7"]);
  const what = { kind: "approval", action: "Bash: ls", title: "t", question: "q", count: 2 } as const;
  expect(headlineText(what, { exact: loud, clean: asGiven })).toBe("BASH: LS (2 questions)");
});

test("lengths are rounded down in one word or two, and to the nearest where they are left", () => {
  expect([59_999, 225_000, 3_600_000].map(shortDuration)).toEqual(["59 s", "3 min", "1 h"]);
  expect([60_000, 7_200_000].map(longDuration)).toEqual(["1 minute", "2 hours"]);
  expect([225_000, 3_600_000, 1_400].map(roundedDuration)).toEqual(["4 min", "1 h", "1 s"]);
});
