import { expect, test } from "vitest";
import { commandGroups, commandList } from "../src/command-list.ts";
import { openInbox } from "./support/inbox.ts";

const run = async (...words: string[]) => (await openInbox()).run(words);

test.each(commandList.map(({ name }) => name))("%s is in the help, and has its own help with examples, in 80 columns", async (name) => {
  expect((await run("--help")).stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  const { code, stdout } = await run("help", name);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: askbox ${name}\\b[\\s\\S]*\\nExamples:\\n`));
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("help has a group for answering, asking, setting up and running, with one line per command", async () => {
  const { stdout } = await run("--help");
  const groups = stdout.split("\n\n").filter((part) => /^(?:Answer|Ask|Set up|Run):\n/.test(part));
  expect(groups.map((part) => part.split("\n")[0])).toEqual(["Answer:", "Ask:", "Set up:", "Run:"]);
  for (const [index, { commands }] of commandGroups.entries()) {
    const lines = groups[index]?.split("\n").slice(1) ?? [];
    const names = commands.map(({ name, alias }) => (alias === undefined ? name : `${name}|${alias}`));
    expect(lines.map((line) => line.trim().split(/ {2,}/)[0]?.replace(" [command]", ""))).toEqual(index === 3 ? [...names, "help"] : names);
  }
});

test("help covers subcommands, with their own flags", async () => {
  const { code, stdout } = await run("help", "token", "create");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: askbox token create [\s\S]*--expires/)]);
  expect(stdout).toBe((await run("token", "create", "--help")).stdout);
});

test("help about completions says how to install them permanently in each shell", async () => {
  const { stdout } = await run("help", "completion");
  for (const place of ["~/.bashrc", "~/.zshrc", "~/.config/fish/completions/askbox.fish"]) expect(stdout).toContain(place);
});

test("help about help prints the overview", async () => {
  expect(await run("help", "help")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: askbox \[options\] \[command\]/) });
});

test.each([
  ["token", "create, list, revoke"],
  ["agent", "add, list, remove"],
  ["config", "get, set, unset, path, schema"],
])("%s alone lists its subcommands", async (name, names) => {
  const { code, stdout, stderr } = await run(name);
  expect([code, stdout, stderr]).toEqual([2, "", `askbox ${name} takes one of ${names}. See askbox help ${name}.\n`]);
});

test("a usage error names the help for it", async () => {
  const { code, stderr } = await run("token", "create", "ci");
  expect([code, stderr]).toEqual([2, "Required option '--scope <scope>' not specified. See askbox help token create.\n"]);
});

test("askbox server is another name for askbox mcp", async () => {
  expect(await run("server", "--help")).toEqual(await run("mcp", "--help"));
  expect((await run("mcp", "--help")).stdout).toMatch(/^Usage: askbox mcp\|server /);
});
