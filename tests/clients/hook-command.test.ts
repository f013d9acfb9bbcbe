import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, openHome } from "../command/support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

const question = { question: "Which database?", header: "DB", options: [{ label: "SQLite" }, { label: "Postgres" }], multiSelect: false };
const event = (cwd: string) =>
  JSON.stringify({
    hook_event_name: "PreToolUse",
    tool_name: "AskUserQuestion",
    tool_input: { questions: [question] },
    cwd,
    session_id: "s",
  });

/** The pending question's id, once it is in the inbox. */
async function pending(): Promise<string> {
  for (let look = 0; look < 200; look += 1) {
    const [session] = JSON.parse((await home.run(["list", "--json"])).stdout) as { id: string }[];
    if (session !== undefined) return session.id;
  }
  throw new Error("Nothing was asked");
}

describe("askbox hook claude-code", () => {
  test("puts the client's own question into the inbox and hands the answer back in its input", async () => {
    const hook = home.start(["hook", "claude-code"]);
    hook.child.stdin.end(event(home.path));
    const id = await pending();
    const shown = JSON.parse((await home.run(["show", id, "--json"])).stdout);
    expect(shown).toMatchObject({
      asker: { client: { name: "claude-code" }, project: home.path },
      questions: [{ type: "select", header: "DB" }],
    });
    expect((await home.run(["answer", id, "Postgres"])).code).toBe(0);
    const { code, stdout } = await hook.done;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        permissionDecisionReason: "A person answered through askbox.",
        updatedInput: { questions: [question], answers: { "Which database?": "Postgres" } },
      },
    });
  });

  test("gives a person's no on", async () => {
    const hook = home.start(["hook", "claude-code"]);
    hook.child.stdin.end(event(home.path));
    await home.run(["cancel", await pending(), "--reason", "Ask Grace"]);
    const { code, stdout } = await hook.done;
    expect([code, JSON.parse(stdout).hookSpecificOutput]).toMatchObject([
      0,
      { permissionDecision: "deny", permissionDecisionReason: expect.stringContaining("Ask Grace") },
    ]);
  });

  test("without a hub lets the client's own dialog come up, and where there is none says why", async () => {
    const nowhere = { ASKBOX_HUB: "http://127.0.0.1:9", ASKBOX_TOKEN: "t" };
    const interactive = await home.spawn(["hook", "claude-code"], {
      stdin: event("/"),
      env: { ...nowhere, CLAUDE_CODE_ENTRYPOINT: "cli" },
    });
    expect(interactive).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("askbox: ") });
    const headless = await home.spawn(["hook", "claude-code"], {
      stdin: event("/"),
      env: { ...nowhere, CLAUDE_CODE_ENTRYPOINT: "sdk-cli" },
    });
    expect(headless.code).toBe(0);
    expect(JSON.parse(headless.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
  });

  test("has nothing to say of another tool, and starts no hub for it", async () => {
    const ran = await home.spawn(["hook", "claude-code"], { stdin: JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash" }) });
    expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await home.run(["hub", "status"])).code).toBe(5);
  });
});
