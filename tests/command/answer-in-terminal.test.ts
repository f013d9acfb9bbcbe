import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionView } from "@askbox/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { keys, type TestTerminal, terminals } from "../terminal/support/terminal.ts";
import { type Home, openHome, program } from "./support/home.ts";

let home: Home;
let opened: ReturnType<typeof terminals>;
beforeEach(async () => {
  home = await openHome();
  opened = terminals();
});
afterEach(async () => {
  await opened.close();
  await home.close();
});

/** Runs a line of a POSIX shell in a terminal, with the command as `askbox`. */
function shell(line: string, env: Record<string, string> = {}): TestTerminal {
  const words = program.map((word) => `'${word}'`).join(" ");
  const command = ["/bin/sh", "-c", `cd '${home.path}'; askbox() { ${words} "$@"; }; ${line}; echo "code $?"; read _`] as const;
  return opened.open({
    columns: 100,
    rows: 30,
    command,
    env: { HOME: home.path, ASKBOX_HOME: home.path, ASKBOX_ATTENTION: "none", ...env },
  });
}

const sessions = async () => JSON.parse((await home.run(["list", "--status", "all", "--json"])).stdout) as SessionView[];
const session = (holds: (view: SessionView) => boolean = () => true) =>
  until(`there is a session with ${holds}`, async () => (await sessions()).find(holds));

test("leaving the inbox while a hub is still starting works at once", async () => {
  const terminal = shell("askbox");
  // It may be connected by the time of the next look.
  await terminal.until(() => terminal.output().includes("connecting"), "that it is connecting");
  terminal.send("q");
  await terminal.sees("code 0");
});

test("the inbox does not open in an agent's shell, unless the config lets agents answer; it prints what is pending", async () => {
  await home.serve();
  const asked = home.start(["ask", "Which style?", "--option", "Tailwind"]);
  await asked.says(/Asked as/);
  const refused = shell("askbox", { CLAUDECODE: "1" });
  await refused.sees("code 0");
  expect(refused.text()).toContain("Which style?");
  expect(refused.output()).not.toContain("\u001b[?1049h");
  await writeFile(join(home.path, "config.json"), '{"allowAnswerFromAgents": true}');
  const allowed = shell("askbox", { CLAUDECODE: "1" });
  await allowed.sees(/1 Tailwind/);
  allowed.send("q");
  await allowed.sees("code 0");
});

describe("askbox ask in a terminal", () => {
  beforeEach(() => home.serve());

  test("shows the form immediately, and returns the answer to the script", async () => {
    const terminal = shell(`x=$(askbox ask 'Which style?' --option Tailwind --option 'CSS Modules') && echo "got [$x]"`);
    await terminal.sees(/2 CSS Modules/);
    terminal.send("2", keys.enter);
    await terminal.sees("got [CSS Modules]");
    const view = await session();
    expect(view).toMatchObject({ outcome: { kind: "answered", by: { surface: "terminal" } } });
    expect(view.delivery.deliveredAt).not.toBeNull();
  });

  test("prints nothing but the result on stdout with --json", async () => {
    const terminal = shell("askbox ask 'Name?' --json > result.json && cat result.json");
    await terminal.sees("Name?");
    await session(({ presence }) => presence.openIn.length > 0);
    terminal.send("Card", keys.ctrl("s"));
    await terminal.sees(/"values": \[\s+"Card"/);
    await terminal.sees("code 0");
    expect(terminal.text(), "it is answered; nobody needs to be told how").not.toContain("Asked as");
  });

  test("shows what is typed to others, and closes when somebody answers elsewhere", async () => {
    const terminal = shell("askbox ask 'Name?'");
    await terminal.sees("Name?");
    const { id } = await session(({ presence }) => presence.openIn.length > 0);
    terminal.send("half an ans");
    await expect.poll(async () => (await home.run(["show", id])).stdout).toContain("half an ans");
    expect((await home.run(["answer", id, "Card"])).code).toBe(0);
    await terminal.sees("Card");
    await terminal.sees("code 0");
  });

  test("Ctrl-C withdraws the question", async () => {
    const terminal = shell("askbox ask 'Go?' --type confirm");
    await terminal.sees("Go?");
    await session(({ presence }) => presence.openIn.length > 0);
    terminal.send(keys.ctrl("c"));
    await terminal.sees("code 3");
    expect(await session()).toMatchObject({ outcome: { kind: "cancelled", by: { surface: "asker" } } });
  });

  test("leaving the form prints how to answer elsewhere", async () => {
    const terminal = shell("askbox ask 'Go?' --type confirm");
    await terminal.sees("Go?");
    const { id } = await session(({ presence }) => presence.openIn.length > 0);
    terminal.send(keys.escape);
    await terminal.sees(/Asked as \w{8}; waiting/);
    expect((await home.run(["answer", id, "yes"])).code).toBe(0);
    await terminal.sees("code 0");
  });

  test.each([
    ["an agent's shell", "askbox ask 'Go?' --type confirm", { CLAUDECODE: "1" }],
    ["an agent's shell that may answer", "askbox ask 'Go?' --type confirm", { CLAUDECODE: "1" }],
    ["a script that feeds its input", "echo y | askbox ask 'Go?' --type confirm", {}],
  ])("accepts no answer in %s", async (name, line, env) => {
    if (name.endsWith("may answer")) await writeFile(join(home.path, "config.json"), '{"allowAnswerFromAgents": true}');
    const terminal = shell(line, env as Record<string, string>);
    await terminal.sees(/Asked as \w{8}; waiting 5 min for an answer/);
    terminal.send("y", keys.enter);
    const { id } = await session();
    expect((await home.run(["answer", id, "no"])).code).toBe(0);
    await terminal.sees(/\nno\n/);
    expect(await session()).toMatchObject({ outcome: { by: { surface: "cli" } } });
  });
});
