import { join } from "node:path";
import type { AskRequest } from "@askbox/core";
import { describe, expect, test } from "vitest";
import { type SceneOptions, scene, target, temporaryFolder } from "./support/scene.ts";

const minute = 60_000;
const denialDigest = 15 * minute;

/** A scene in which a model denies commands. */
async function denying(options: SceneOptions = {}) {
  const all = await scene({ mode: "notify", denialDigest, ...options });
  const { ask, desk, started } = all;
  return {
    ...all,
    deny: (command: string, about: { project?: string } = {}) => {
      const denial = { reviewer: "auto mode", status: "denied", reason: "Never trust this." } as const;
      const action = { kind: "command", tool: "Bash", command, description: "Harmless." } as const;
      const questions: AskRequest["questions"] = [
        { id: "q", type: "approval", question: "Overrule that?", required: true, action, denial },
      ];
      return ask({ questions, timeout: 24 * 60 * minute }, about);
    },
    decide: (id: string, value: "allow" | "deny") => desk.answer(id, { answers: [{ questionId: "q", values: [value] }] }),
    /** Title and body of each notification. */
    shown: () => started.map(({ request }) => request.args.slice(-2)),
  };
}

describe("a digest of what models have denied", () => {
  test("is off by default", async () => {
    const { deny, clock, started, received } = await denying({ denialDigest: 0, targets: [target()] });
    await deny("ls");
    await clock.advance(60 * minute);
    expect([started.length, received.length]).toEqual([0, 0]);
  });

  test("tells of several at once, the newest by its action, and not again within its time", async () => {
    const { deny, clock, shown } = await denying();
    for (const command of ["ls", "rm -r build", "curl -s x"]) await deny(command);
    await clock.advance(denialDigest - 1);
    expect(shown()).toEqual([]);
    await clock.advance(1);
    const first = ["askbox: 3 calls were denied by a model", "The newest: Claude Code in engine (main): Bash: curl -s x"];
    expect(shown()).toEqual([first]);
    await deny("make");
    await clock.advance(denialDigest - 1);
    expect(shown()).toEqual([first]);
    await clock.advance(1);
    expect(shown()).toEqual([first, ["askbox: 1 call was denied by a model", "Claude Code in engine (main): Bash: make"]]);
    await clock.advance(60 * minute);
    expect(shown()).toHaveLength(2);
  });

  test("leaves out actions where no text may be shown", async () => {
    const { deny, clock, shown } = await denying({ settings: { showText: false } });
    await deny("ls");
    await clock.advance(denialDigest);
    expect(shown()).toEqual([["askbox: 1 call was denied by a model", "Claude Code in engine"]]);
  });

  test("doesn't count what was overruled, agreed with or seen", async () => {
    const { deny, decide, desk, clock, shown } = await denying();
    const [overruled, agreed, seen] = [await deny("a"), await deny("b"), await deny("c")];
    await deny("d");
    await decide(overruled, "allow");
    await decide(agreed, "deny");
    (await desk.attend(seen))();
    await clock.advance(denialDigest);
    expect(shown().map(([title]) => title)).toEqual(["askbox: 1 call was denied by a model"]);
  });

  test("is not for somebody who is at an inbox", async () => {
    const { deny, clock, somebody, shown } = await denying();
    await deny("ls");
    somebody.there = true;
    await clock.advance(denialDigest);
    somebody.there = false;
    await clock.advance(60 * minute);
    expect(shown()).toEqual([]);
  });

  test("waits in quiet hours for their end", async () => {
    const { clock: from } = await scene();
    const time = (at: number) => new Date(at).toTimeString().slice(0, 5);
    const quietHours = `${time(from.now() - minute)}-${time(from.now() + 40 * minute)}`;
    const { deny, clock, shown } = await denying({ rules: { quietHours, rules: [] } });
    await deny("ls");
    await clock.advance(39 * minute);
    expect(shown()).toEqual([]);
    await clock.advance(minute);
    expect(shown()).toHaveLength(1);
  });

  test("follows the rules for a client, a project or a machine", async () => {
    const { deny, clock, started } = await denying({
      settings: { command: "note" },
      rules: {
        rules: [
          { project: "/srv/silent", attention: "none" },
          { project: "/srv/page", attention: "browser" },
          { project: "/srv/own", attention: "command" },
        ],
      },
    });
    for (const project of ["silent", "page", "own"]) await deny(project, { project: `/srv/${project}` });
    await clock.advance(denialDigest);
    expect(started.map(({ request }) => [request.program, request.env["ASKBOX_DENIED"], request.env["ASKBOX_QUESTION"]])).toEqual([
      ["note", "1", "Bash: own"],
    ]);
    expect(JSON.parse(started[0]?.request.input ?? "")).toMatchObject({ count: 1, sessions: [{ denied: true, question: "Bash: own" }] });
    expect(started[0]?.request.input).not.toMatch(/Overrule|Harmless|trust/);
  });

  test("comes once, and at its time, across restarts", async () => {
    const { deny, clock, notify, startAgain, shown } = await denying({ file: join(temporaryFolder(), "told.json") });
    await deny("ls");
    await clock.advance(10 * minute);
    await notify.close();
    const second = await startAgain();
    await clock.advance(5 * minute);
    expect(shown()).toHaveLength(1);
    await second.close();
    await startAgain();
    await clock.advance(60 * minute);
    expect(shown()).toHaveLength(1);
  });
});
