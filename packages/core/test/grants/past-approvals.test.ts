import { type Action, type AskerInfo, createBroker, memoryStore, parseAsk } from "@askbox/core";
import { lastApprovals, wouldHaveAllowed } from "@askbox/core/grants";
import { anAsker, seededIds, testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const project = "/home/ada/engine";
const asker = (own: Partial<AskerInfo> = {}) => anAsker({ project, conversation: "one", ...own });
const run = (command: string, own: Partial<Action> = {}): Action => ({ kind: "command", tool: "Bash", command, cwd: project, ...own });
const past = (...commands: string[]) => commands.map((command) => ({ asker: asker(), action: run(command) }));
const lines = (actions: readonly Action[]) => actions.map(({ command }) => command);

describe("a grant would have allowed", () => {
  const push = { asker: asker(), action: run("git push origin main") };

  test("with a prefix, plain commands of any tool that begin with its words", () => {
    const before = [
      ...past("git push", "git push --force origin main", "git pushy", "git push && rm -rf /", "npm test"),
      { asker: asker(), action: run("git push --tags", { tool: "Shell" }) },
    ];
    const allowed = wouldHaveAllowed(before, push, { scope: "project", prefix: "git push" });
    expect(lines(allowed)).toEqual(["git push", "git push --force origin main", "git push --tags"]);
  });

  test("without one, exactly this action, whatever its title", () => {
    const before = [
      ...past("git push origin main", "git push"),
      { asker: asker(), action: run("git push origin main", { title: "Publish" }) },
      { asker: asker(), action: run("git push origin main", { tool: "Shell" }) },
      { asker: asker(), action: run("git push origin main", { cwd: `${project}/docs` }) },
    ];
    expect(wouldHaveAllowed(before, push, { scope: "project" })).toEqual([before[0]?.action, before[2]?.action]);
  });

  test("for a conversation, only what was asked in it", () => {
    const before = [
      { asker: asker(), action: run("git push") },
      { asker: asker({ conversation: "two" }), action: run("git push -f") },
      { asker: asker({ client: { name: "another" } }), action: run("git push -n") },
    ];
    expect(lines(wouldHaveAllowed(before, push, { scope: "session", prefix: "git push" }))).toEqual(["git push"]);
    expect(lines(wouldHaveAllowed(before, push, { scope: "project", prefix: "git push" }))).toEqual(["git push", "git push -f"]);
  });

  test("on a machine, only what was asked on it", () => {
    const before = [
      { asker: asker(), action: run("git push") },
      { asker: asker({ machine: "build-7" }), action: run("git push -f") },
      { asker: asker({ machine: "build-8" }), action: run("git push -n") },
    ];
    const draft = { scope: "project", prefix: "git push" } as const;
    const there = { ...push, asker: asker({ machine: "build-7" }) };
    expect(lines(wouldHaveAllowed(before, there, draft))).toEqual(["git push -f"]);
    expect(lines(wouldHaveAllowed(before, push, draft))).toEqual(["git push"]);
  });

  test("nothing for an agent without a project, or words that begin no plain command", () => {
    const before = past("git push");
    expect(wouldHaveAllowed(before, { ...push, asker: anAsker({ project: undefined }) }, { scope: "project", prefix: "git" })).toEqual([]);
    expect(wouldHaveAllowed(before, push, { scope: "project", prefix: "git push;" })).toEqual([]);
  });
});

describe("the last approvals", () => {
  async function settled(count: number) {
    const platform = testPlatform();
    const broker = await createBroker({ store: memoryStore(), ...platform });
    const [desk, port] = [broker.desk({ surface: "web" }), broker.asker("one")];
    const ids = seededIds();
    const ask = async (question: Record<string, unknown>, by = asker()) => {
      const { session } = await port.ask(parseAsk({ questions: [{ question: "May it?", ...question }] }, { ids }), {
        asker: by,
        maxWait: 0,
      });
      return session;
    };
    for (let index = 1; index <= count; index += 1) {
      await desk.cancel((await ask({ type: "approval", action: run(`npm run ${index}`) })).id);
      await desk.cancel((await ask({ type: "confirm" })).id);
      await platform.clock.advance(1_000);
    }
    return { desk, ask };
  }

  test("are the newest 50 of the client in the project that are settled, however they ended", async () => {
    const { desk, ask } = await settled(60);
    await ask({ type: "approval", action: run("npm run pending") });
    for (const by of [asker({ client: { name: "another" } }), asker({ project: "/home/ada/other" }), asker({ machine: "build-7" })])
      await desk.cancel((await ask({ type: "approval", action: run("npm run other") }, by)).id);
    const found = await lastApprovals(desk, asker());
    expect(found).toHaveLength(50);
    expect([found[0], found[49]].map((each) => each?.action.command)).toEqual(["npm run 60", "npm run 11"]);
  });

  test("are looked for in no more than 300 sessions", async () => {
    let reads = 0;
    const items = Array.from({ length: 50 }, () => ({ asker: asker(), questions: [] }));
    const list = async () => {
      reads += 1;
      return { items, nextCursor: "more" } as never;
    };
    expect(await lastApprovals({ list }, asker())).toEqual([]);
    expect(reads).toBe(6);
  });
});
