import { describe, expect, test } from "vitest";
import { scene } from "./support/scene.ts";

const command = "notify-my-phone";

describe("the person's own command", () => {
  test("is run by the shell with details in its environment and all sessions on stdin", async () => {
    const { announce, ask, started, clock } = await scene({ mode: "command", settings: { command } });
    const createdAt = clock.now();
    const first = await ask({ title: "A new\nmodule" });
    const second = await announce({ title: undefined });
    expect(started).toHaveLength(1);
    const { request } = started[0] ?? {};
    expect(request).toMatchObject({ program: command, args: [], shell: true, timeLimit: 30_000 });
    expect(request?.env).toMatchObject({
      PATH: "/usr/bin",
      ASKBOX_SESSION_ID: first,
      ASKBOX_COUNT: "2",
      ASKBOX_AGENT: "Claude Code",
      ASKBOX_PROJECT: "/home/ada/engine",
      ASKBOX_TITLE: "A new module",
      ASKBOX_QUESTION: "What should the new module be called?",
    });
    const common = {
      agent: "Claude Code",
      agentId: "agent-1",
      project: "/home/ada/engine",
      branch: "main",
      question: "What should the new module be called?",
      questions: 4,
      createdAt,
      deadlineAt: createdAt + 300_000,
    };
    expect(JSON.parse(request?.input ?? "")).toEqual({
      count: 2,
      sessions: [
        { id: first, title: "A new module", ...common },
        { id: second, ...common },
      ],
    });
  });

  test("gets the machine, if it is another than the hub's", async () => {
    const { announce, started } = await scene({ mode: "command", settings: { command } });
    await announce({}, { machine: "build-7" });
    const { env, input } = started[0]?.request ?? {};
    expect(env).toMatchObject({ ASKBOX_MACHINE: "build-7" });
    expect(JSON.parse(input ?? "")).toMatchObject({ sessions: [{ machine: "build-7", project: "/home/ada/engine" }] });
  });

  test("gets no variable of the hub's environment under the name of one of its own", async () => {
    const env = { ASKBOX_MACHINE: "inherited", ASKBOX_TITLE: "inherited", ASKBOX_QUESTION: "inherited" };
    const { announce, started } = await scene({ mode: "command", settings: { command, showText: false }, env });
    await announce();
    expect(JSON.stringify(started[0]?.request)).not.toContain("inherited");
    expect(started[0]?.request.env["ASKBOX_COUNT"]).toBe("1");
  });

  // promise: command-facts-in-environment
  test("never gets a link, which would pass a login on to other services", async () => {
    const made = await scene({ mode: "command", settings: { command } });
    await made.ask();
    await made.batchLeaves();
    expect(made.started).toHaveLength(1);
    expect(made.links.made).toBe(0);
  });
});
