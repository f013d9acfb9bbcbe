import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, openHome, program } from "../command/support/home.ts";
import { keys, type Terminals, terminals } from "../terminal/support/terminal.ts";

let home: Home;
let opened: Terminals;
const inHome = (...parts: string[]) => join(home.path, ...parts);
const read = (...parts: string[]) => readFileSync(inHome(...parts), "utf8");
const own = { claude: '{ "theme": "dark" } // mine\n', codex: '# mine\nmodel = "x"\n' };
beforeEach(async () => {
  home = await openHome();
  opened = terminals();
  mkdirSync(inHome(".claude"));
  mkdirSync(inHome(".codex"));
  writeFileSync(inHome(".claude.json"), own.claude);
  writeFileSync(inHome(".codex", "config.toml"), own.codex);
});
afterEach(async () => {
  await opened.close();
  await home.close();
});

const untouched = () => {
  expect(read(".claude.json")).toBe(own.claude);
  expect(read(".codex", "config.toml")).toBe(own.codex);
  expect(existsSync(inHome(".claude", "settings.json"))).toBe(false);
};
const questions = async () =>
  (JSON.parse((await home.run(["list", "--status", "all", "--json"])).stdout) as { status: string; title: string }[]).map(
    ({ status, title }) => `${status}: ${title}`,
  );

describe("askbox setup without a terminal", () => {
  test("says what it would change, and changes nothing without --yes", async () => {
    const ran = await home.run(["setup"]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("add --yes") });
    for (const part of ["Claude Code", "create  ~/.claude/settings.json", "change  ~/.codex/config.toml  +"])
      expect(ran.stdout).toContain(part);
    untouched();
    expect((await home.run(["hub", "status"])).code).toBe(5);
  });

  test("--yes sets up every client, tries one with a question, and is restored to the byte", async () => {
    await home.serve();
    const ran = await home.run(["setup", "--yes"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    for (const part of ["Claude Code is set up.", "Codex is set up.", "wrote ~/.claude/CLAUDE.md", "It arrived in the inbox"])
      expect(ran.stdout).toContain(part);
    expect(await questions()).toEqual(["cancelled: A first question, through Claude Code's entry"]);
    // Set up again, nothing of it is changed.
    const written = read(".claude.json");
    const again = JSON.parse((await home.run(["setup", "--yes", "--json", "--no-prefer"])).stdout);
    expect(again).toMatchObject({
      clients: [
        { client: "claude-code", state: "ready" },
        { client: "codex", state: "ready" },
      ],
      question: { client: "claude-code", arrived: true },
    });
    expect(read(".claude.json")).toBe(written);
    for (const client of ["claude-code", "codex"]) expect((await home.run(["uninstall", client])).code).toBe(0);
    untouched();
  });

  test("sets up only what is named, and says what can't be", async () => {
    await home.serve();
    mkdirSync(inHome(".gemini"));
    writeFileSync(inHome(".gemini", "settings.json"), '{\n  "theme": \n}\n');
    const ran = await home.run(["setup", "gemini-cli", "codex", "--yes", "--json"]);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      clients: [
        { client: "codex", state: "installed", files: [{ path: "~/.codex/config.toml", action: "change" }, { action: "create" }] },
        { client: "gemini-cli", state: "failed", problem: expect.stringContaining("line 3, column 1") },
      ],
      question: { client: "codex", arrived: true },
    });
    expect(read(".claude.json")).toBe(own.claude);
  });

  test("reports an entry that doesn't start", async () => {
    await home.serve();
    writeFileSync(inHome(".claude.json"), '{ "mcpServers": { "askbox": { "command": "/nowhere/askbox", "args": ["mcp"] } } }');
    const ran = await home.run(["setup", "claude-code", "--yes"]);
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining("Claude Code's entry doesn't start") });
  });

  test.each([
    [["setup", "--hub", "http://127.0.0.1:9", "--yes"], {}, "use askbox install with --hub"],
    [["setup", "emacs"], {}, 'There is no client "emacs"'],
    [["setup", "codex"], { ASKBOX_HUB: "http://127.0.0.1:9" }, "use askbox install with --hub"],
    [["setup", "--yes"], { HOME: "/nowhere", PATH: "/nowhere" }, "None of the clients that askbox knows is on this machine"],
  ])("%j %j exits with 2 and one sentence", async (args, env, sentence) => {
    expect(await home.run(args, { env })).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(sentence) });
    untouched();
  });
});

describe("askbox setup in a terminal", () => {
  const open = (columns: number, env: Record<string, string> = {}) =>
    opened.open({
      columns,
      command: [...program, "setup"],
      env: { HOME: home.path, ASKBOX_HOME: home.path, ASKBOX_ATTENTION: "none", CLAUDECODE: "", ...env },
    });

  test("sets up the selected client, and a person answers a question that comes through its entry", async () => {
    const terminal = open(80);
    await terminal.sees("[x] Codex");
    await terminal.sees("create  ~/.claude/settings.json");
    terminal.send(keys.down, " ");
    await terminal.until((screen) => !screen.includes("config.toml"), "nothing of Codex is changed any more");
    terminal.send(keys.enter);
    await terminal.sees("Where do you want");
    terminal.send("2");
    await terminal.sees("(•) 2 In the browser");
    terminal.send(keys.enter);
    expect(await terminal.exited).toBe(0);
    await terminal.sees(/You answered "In the browser", and its agent got that/);
    await terminal.sees(/askbox\S* open/);
    expect(read(".codex", "config.toml")).toBe(own.codex);
    expect(await questions()).toEqual(["answered: A first question, through Claude Code's entry"]);
  });

  test("at 40 columns, without colours, leaves everything as it was on Ctrl-C", async () => {
    const terminal = open(40, { NO_COLOR: "1" });
    await terminal.sees("enter set up 2");
    terminal.send(keys.ctrl("c"));
    expect(await terminal.exited).toBe(3);
    await terminal.sees("Nothing was changed.");
    untouched();
  });

  test("withdraws the question that the person leaves, and keeps what was set up", async () => {
    await home.serve();
    const terminal = open(80);
    await terminal.sees("enter set up 2");
    terminal.send(keys.enter);
    await terminal.sees("Where do you want");
    terminal.send(keys.ctrl("c"));
    expect(await terminal.exited).toBe(3);
    await terminal.sees("What was set up stays.");
    expect(JSON.parse(read(".claude", "settings.json"))).toHaveProperty("permissions");
    expect(await questions()).toEqual(["cancelled: A first question, through Claude Code's entry"]);
  });

  test("refuses in an agent's terminal", async () => {
    const terminal = open(80, { CLAUDECODE: "1" });
    expect(await terminal.exited).toBe(1);
    await terminal.sees("agents must not answer");
    untouched();
  });
});
