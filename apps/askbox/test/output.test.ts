import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aRan } from "@askbox/core/testing";
import type { Command } from "commander";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandList, loadOverview } from "../src/command-list.ts";
import { cleaned } from "../src/io.ts";
import { openInbox } from "./support/inbox.ts";

/** C1 controls, a bidirectional override, a zero-width space, a tag and an escape sequence. */
const hostile = "a\u009b31m\u0085\u202e\u200b\u{e0041}\u001b]0;x\u0007b";
const hidden = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;

/** How each command is made to print what it was given; `ID` stands for a question's id, `APPROVAL` for an approval's. */
const cases: Readonly<Record<string, readonly string[]>> = {
  "": ["--once"],
  list: [],
  backup: [`/nowhere/${hostile}/backup`],
  restore: [`/nowhere/${hostile}`],
  show: ["ID"],
  answer: ["ID", hostile],
  allow: ["APPROVAL"],
  deny: ["APPROVAL", hostile],
  cancel: ["ID"],
  "ask-back": ["ID", hostile],
  extend: ["ID", hostile],
  snooze: ["ID", hostile],
  wake: ["ID"],
  ask: [hostile, "--type", hostile],
  open: ["--print", "--hub", "http://127.0.0.1:1"],
  wait: [hostile],
  mcp: ["--tools", hostile, `--${hostile}`],
  "hub status": [hostile],
  "hub stop": [hostile],
  hub: [`--${hostile}`],
  "chat telegram": ["--after", hostile],
  "chat slack": ["--after", hostile],
  "chat discord": ["--after", hostile],
  "chat list": [hostile],
  "chat remove": [hostile],
  "token create": [hostile],
  "token list": [hostile],
  "token revoke": [hostile],
  agents: [],
  "agents message": ["ID", hostile],
  "agent add": [hostile],
  "agent list": [],
  "agent remove": [hostile],
  "grants list": [hostile],
  "grants add": [hostile],
  "grants test": [hostile],
  "grants revoke": [hostile],
  invite: [hostile],
  join: [hostile],
  ssh: [hostile],
  machines: [],
  "machines rename": [hostile, "other"],
  "machines revoke": [hostile],
  ran: [],
  "audit export": [hostile],
  "audit verify": [`/${hostile}`],
  "config get": [hostile],
  "config set": [hostile, hostile],
  "config unset": [hostile],
  "config path": [],
  "config schema": [hostile],
  setup: [hostile],
  install: ["claude-code", "--dry-run", "--project", `/tmp/${hostile}`, "--scope", "project"],
  uninstall: ["claude-code", "--dry-run", "--scope", "project", "--project", `/tmp/${hostile}`],
  hook: ["claude-code"],
  acp: ["--", hostile],
  run: ["--", hostile, hostile],
  doctor: ["--client", hostile],
  completion: [hostile],
  demo: [hostile],
};

/** Every command and subcommand that does something of its own, from their definitions. */
async function commandPaths(): Promise<string[]> {
  const run = () => async () => {};
  const defined: Command[] = [(await loadOverview()).command(run)];
  const paths = [""];
  const walk = (command: Command, path: string) => {
    if (command.commands.length === 0 || command.registeredArguments.length > 0 || ["hub", "agents", "machines"].includes(path))
      paths.push(path);
    for (const child of command.commands) walk(child, `${path} ${child.name()}`);
  };
  for (const { name, load } of commandList) {
    const command = (await load()).command(run, undefined);
    defined.push(command);
    walk(command, name);
  }
  return paths;
}

test("a case below says how each command prints", async () => {
  expect(Object.keys(cases).sort()).toEqual((await commandPaths()).sort());
});

test("the writer cleans both streams and what is asked at the terminal, with and without colours", async () => {
  for (const hasColors of [true, false]) {
    const written: string[] = [];
    const print = async (text: string) => void written.push(text);
    const output = { write: print, columns: 80, tableColumns: 80, isTerminal: true, hasColors };
    const ask = (question: string) => print(question).then(() => "");
    const io = cleaned({ stdin: { text: async () => "" }, stdout: output, stderr: output, env: {}, ask });
    await io.stdout.write(hostile);
    await io.stderr.write(hostile);
    await io.ask?.(hostile);
    expect(written.map((text) => hidden.exec(text)?.[0])).toEqual([undefined, undefined, undefined]);
  }
});

test("nothing is printed past the writer that cleans it", () => {
  const sources = new URL("../src/", import.meta.url).pathname;
  const using = (past: RegExp) =>
    globSync("**/*.ts", { cwd: sources }).filter((file) => past.test(readFileSync(join(sources, file), "utf8")));
  expect(using(/process\.std(?:out|err)|console\.|host\.std(?:out|err)\.write/)).toEqual([]);
  const why = "an answer in a pipe, and a time that is redrawn";
  expect(using(/\bexact\b\??\.?\(|\.exact\b/).sort(), why).toEqual(["demo/run-demo.ts", "io.ts", "report-outcome.ts"]);
});

describe("whatever it is given, nothing that a terminal hides or obeys is printed by askbox", () => {
  test.each(Object.entries(cases))("%s", async (path, args) => {
    const folder = mkdtempSync(join(tmpdir(), "askbox-output-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const home = join(folder, hostile.replaceAll("/", ""));
    mkdirSync(home, { mode: 0o700 });
    const inbox = await openInbox();
    await inbox.agents.add({ id: `x${hostile.slice(1, 3)}` });
    const asked = await inbox.ask({ title: hostile, questions: [{ id: hostile, question: hostile, header: hostile }] });
    const approval = await inbox.ask({
      title: "a",
      questions: [{ type: "approval", question: hostile, action: { kind: "command", tool: hostile, title: hostile, command: hostile } }],
    });
    const strange = { what: hostile, tool: hostile, client: hostile, project: hostile, by: { kind: "grant", name: hostile } } as const;
    await inbox.ran.add([aRan(inbox.clock.now(), strange)]);
    const words = [
      ...path.split(" ").filter((word) => word !== ""),
      ...args.map((word) => (word === "ID" ? asked.id : word === "APPROVAL" ? approval.id : word)),
    ];
    const env = { ASKBOX_HOME: home, HOME: home, PATH: "" };
    const { stdout, stderr } = await inbox.run(words, { env, stdin: JSON.stringify({ [hostile]: hostile }) });
    expect((stdout + stderr).length + (path === "hook" ? 1 : 0)).toBeGreaterThan(0);
    expect(
      hidden
        .exec(stdout + stderr)?.[0]
        .codePointAt(0)
        ?.toString(16),
    ).toBeUndefined();
  });
});
