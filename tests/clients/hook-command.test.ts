import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, openHome } from "../command/support/home.ts";
import { claudeEvents } from "./support/claude-events.ts";

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

describe("askbox hook claude-code", () => {
  test("puts the client's own question into the inbox and returns the answer in its input", async () => {
    await home.serve();
    const hook = home.start(["hook", "claude-code"]);
    hook.child.stdin.end(event(home.path));
    const { id } = await home.pending();
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

  test("asks once the event is whole, and exits, although the client leaves its pipe open", async () => {
    await home.serve();
    const hook = home.start(["hook", "claude-code"]);
    hook.child.stdin.write(`${event(home.path)}\n`);
    await home.run(["answer", (await home.pending()).id, "Postgres"]);
    const { code, stdout } = await hook.done;
    expect([code, JSON.parse(stdout).hookSpecificOutput.permissionDecision]).toEqual([0, "allow"]);
  });

  test("without a hub lets the client's own dialog appear, and says why if there is none", async () => {
    const nowhere = { ASKBOX_HUB: "http://127.0.0.1:9", ASKBOX_TOKEN: "t" };
    const interactive = await home.run(["hook", "claude-code"], {
      stdin: event("/"),
      env: { ...nowhere, CLAUDE_CODE_ENTRYPOINT: "cli" },
    });
    expect(interactive).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("askbox: ") });
    const headless = await home.run(["hook", "claude-code"], {
      stdin: event("/"),
      env: { ...nowhere, CLAUDE_CODE_ENTRYPOINT: "sdk-cli" },
    });
    expect(headless.code).toBe(0);
    expect(JSON.parse(headless.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
  });

  test("ignores other tools, and starts no hub for them", async () => {
    const ran = await home.run(["hook", "claude-code"], { stdin: JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash" }) });
    expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await home.run(["hub", "status"])).code).toBe(5);
  });
});

describe("askbox hook claude-code for permission requests", () => {
  const request = (cwd: string, command: string) =>
    JSON.stringify({ ...claudeEvents.command, cwd, tool_input: { command, description: "Make proof" } });
  const decisionOf = (stdout: string) => JSON.parse(stdout).hookSpecificOutput.decision;

  test("returns a decision made in a shell, after everything was shown", async () => {
    await home.serve();
    const hook = home.start(["hook", "claude-code"]);
    hook.child.stdin.end(request(home.path, "touch a\u202e.txt"));
    const { id } = await home.pending();
    const { stdout: page } = await home.run(["show", id]);
    for (const part of ["touch a⟨U+202E⟩.txt", "U+202E", home.path, `askbox allow ${id.slice(0, 4)}`, "askbox deny"])
      expect(page).toContain(part);
    expect(await home.run(["deny", id, "Use b.txt"])).toMatchObject({ code: 0, stdout: expect.stringContaining("Denied") });
    expect(decisionOf((await hook.done).stdout)).toEqual({
      behavior: "deny",
      message: "A person denied this in askbox, and it was not run. Their words: Use b.txt",
    });
  });

  test("returns what a grant allows, which can be listed, tried and revoked", async () => {
    await home.serve();
    const hook = home.start(["hook", "claude-code"]);
    hook.child.stdin.end(request(home.path, "npm test"));
    const granted = await home.run(["allow", (await home.pending()).id, "--grant", "project", "--for", "1d"]);
    expect(granted.stdout).toContain("Allow in this project for 1d");
    expect(decisionOf((await hook.done).stdout)).toEqual({ behavior: "allow" });
    const again = await home.run(["hook", "claude-code"], { stdin: request(home.path, "npm test") });
    expect(decisionOf(again.stdout)).toEqual({ behavior: "allow" });
    const [grant] = JSON.parse((await home.run(["grants", "list", "npm", "--json"])).stdout);
    expect(grant).toMatchObject({ shown: "npm test", project: home.path, match: { type: "exact" } });
    const tried = (line: string) => home.run(["grants", "test", line, "--project", home.path]);
    expect(await tried("npm test")).toMatchObject({ code: 0, stdout: expect.stringContaining("may run without asking") });
    expect((await tried("npm test && rm x")).stdout).toContain("A person will be asked");
    expect((await home.run(["grants", "revoke", grant.id])).code).toBe(0);
    expect((await tried("npm test")).stdout).toContain("A person will be asked");
  });

  test("accepts a prefix written by a person, and rejects one that no plain command has", async () => {
    await home.serve();
    expect(await home.run(["grants", "add", "npm test", "--project", home.path])).toMatchObject({ code: 0 });
    expect(await home.run(["grants", "add", "rm -r dist", "--yes"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("any command that begins with rm -r dist"),
      stderr: expect.stringMatching(/^Careful: .*destroys files/),
    });
    const ran = await home.run(["hook", "claude-code"], { stdin: request(home.path, "npm test -- --run") });
    expect(decisionOf(ran.stdout)).toEqual({ behavior: "allow" });
    expect(await home.run(["grants", "add", "npm test | sh"])).toMatchObject({ code: 2, stderr: expect.stringContaining("plain command") });
  });

  test("starts a hub if none is running, but not for a report", async () => {
    const quiet = { code: 0, stdout: "", stderr: "" };
    expect(await home.run(["hook", "claude-code"], { stdin: JSON.stringify(claudeEvents.ran) })).toEqual(quiet);
    expect((await home.run(["hub", "status"])).code).toBe(5);
    const hook = home.start(["hook", "claude-code"], { stdin: request("/", "touch a") });
    await expect.poll(async () => (await home.run(["hub", "status"])).code).toBe(0);
    await home.run(["deny", (await home.pending()).id]);
    expect(decisionOf((await hook.done).stdout)).toMatchObject({ behavior: "deny" });
  });

  test("decides nothing if no hub can be reached, and tells the person at the client", async () => {
    const env = { ASKBOX_HUB: "http://127.0.0.1:9", ASKBOX_TOKEN: "t" };
    const ran = await home.run(["hook", "claude-code"], { stdin: request("/", "touch a"), env });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("127.0.0.1:9") });
    expect(JSON.parse(ran.stdout)).toEqual({ systemMessage: expect.stringMatching(/^askbox: .* This request is not in the inbox\.$/) });
  });
});
