import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, openHome } from "./support/home.ts";
import { runInTerminal } from "./support/terminal.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

const view = async (id: string) => JSON.parse((await home.run(["show", id, "--json"])).stdout);

/** What is pending, once it looks as it should. */
async function seen(id: string, holds: (session: { presence: { openIn: object[] }; draft?: object }) => boolean): Promise<object> {
  for (let tries = 0; tries < 100; tries += 1) {
    const session = await view(id);
    if (holds(session)) return session;
  }
  throw new Error("It never came to look so.");
}

describe("askbox ask in a terminal", () => {
  test("takes the answer there and then, and prints it for the script", async () => {
    const run = runInTerminal(home, `x=$(askbox ask 'Which style?' --option Tailwind --option 'CSS Modules') && echo "got [$x]"`);
    const [, id = ""] = await run.shows(/Asked as (\w{8}): answer here, or anywhere else/);
    await run.shows(/#2 {2}CSS Modules\n.*A number chooses.*\n4:5\d left > |#2 {2}CSS Modules\n.*A number chooses.*\n5:00 left > /);
    expect(await seen(id, ({ presence }) => presence.openIn.length > 0)).toMatchObject({ presence: { openIn: [{ surface: "terminal" }] } });
    run.type("7\n");
    await run.shows(/"7" is no option; type a number from 1 to 2, or = and your own words\./);
    run.type("2\n");
    await run.shows(/got \[CSS Modules\]/);
    expect(await run.done).toBe(0);
    expect(await view(id)).toMatchObject({
      outcome: { kind: "answered", by: { surface: "terminal" } },
      delivery: { deliveredAt: expect.any(Number) },
    });
  });

  test("takes several answers, texts of several lines and from an editor, shows them once more, and lets one be changed", async () => {
    const editor = join(home.path, "editor.sh");
    await writeFile(editor, '#!/bin/sh\nprintf "from\\nthe editor\\n" > "$1"\n', { mode: 0o755 });
    const questions = [
      { id: "name", question: "Name?" },
      { id: "why", question: "Why?" },
      { id: "go", question: "Go?", type: "confirm" },
      { id: "rest", question: "Rest?", required: false },
    ];
    await writeFile(join(home.path, "ask.json"), JSON.stringify({ questions }));
    const run = runInTerminal(home, "askbox ask --file ask.json --json > result.json; echo code $?", { env: { EDITOR: editor } });
    await run.shows(/1\. Name\?[\s\S]*left > /);
    run.type("first line\nsecond line\n\n");
    await run.shows(/2\. Why\?[\s\S]*e opens your editor[\s\S]*left > /);
    run.type("e\n");
    await run.shows(/3\. Go\?[\s\S]*left > /);
    run.type("y\n");
    await run.shows(/4\. Rest\?[\s\S]*left > /);
    run.type("s\n");
    await run.shows(/3\. Go\?: Yes\n4\. Rest\?: \(skipped\)\n.*Enter sends[\s\S]*left > /);
    run.type("3\n");
    await run.shows(/3\. Go\?[\s\S]*left > /);
    run.type("n\n");
    await run.shows(/3\. Go\?: No\n[\s\S]*left > /);
    run.type("\n");
    await run.shows(/code 0/);
    await run.done;
    const { readFile } = await import("node:fs/promises");
    expect(JSON.parse(await readFile(join(home.path, "result.json"), "utf8"))).toMatchObject({
      answered: true,
      answers: [
        { questionId: "name", values: ["first line\nsecond line"] },
        { questionId: "why", values: ["from\nthe editor"] },
        { questionId: "go", values: ["no"] },
        { questionId: "rest", values: [] },
      ],
      answeredBy: { surface: "terminal" },
    });
  });

  test("shows what is typed to others, and says who answered elsewhere", async () => {
    const run = runInTerminal(home, "askbox ask 'Name?'");
    const [, id = ""] = await run.shows(/Asked as (\w{8})[\s\S]*left > /);
    run.type("half an ans");
    await seen(id, ({ draft }) => JSON.stringify(draft ?? {}).includes("half an ans"));
    expect((await home.run(["answer", id, "Card"])).code).toBe(0);
    await run.shows(/Answered (by .* )?with the command\.\nCard\n/);
    expect(await run.done).toBe(0);
  });

  test("Ctrl-C takes the question back, c turns it down, and Ctrl-D leaves it to others", async () => {
    const interrupted = runInTerminal(home, "askbox ask 'Go?' --type confirm");
    const [, first = ""] = await interrupted.shows(/Asked as (\w{8})[\s\S]*left > /);
    interrupted.type("\u0003");
    await interrupted.shows(/The question is taken back\./);
    expect(await interrupted.done).toBe(3);
    expect(await view(first)).toMatchObject({ outcome: { kind: "cancelled", by: { surface: "asker" } } });

    const cancelled = runInTerminal(home, "askbox ask 'Go?' --type confirm");
    const [, second = ""] = await cancelled.shows(/Asked as (\w{8})[\s\S]*left > /);
    cancelled.type("c\n");
    await cancelled.shows(/Turn the question down\? y or n[\s\S]*left > /);
    cancelled.type("y\n");
    expect(await cancelled.done).toBe(3);
    expect(await view(second)).toMatchObject({ outcome: { kind: "cancelled", by: { surface: "terminal" } } });

    const left = runInTerminal(home, "askbox ask 'Go?' --type confirm");
    const [, third = ""] = await left.shows(/Asked as (\w{8})[\s\S]*left > /);
    left.type("\u0004");
    await left.shows(/Nothing more is read here/);
    await home.run(["answer", third, "yes"]);
    expect(await left.done).toBe(0);
  });

  test("text from an agent does not reach the terminal raw at the prompt", async () => {
    const hostile = (name: string) => `${name}\u001b]0;owned\u0007\u009b31m\u202etxt`;
    const questions = [{ id: hostile("id"), question: hostile("question"), type: "select", options: [hostile("label")] }];
    await writeFile(join(home.path, "ask.json"), JSON.stringify({ questions, title: hostile("title") }));
    const run = runInTerminal(home, "askbox ask --file ask.json");
    await run.shows(/label[\s\S]*left > /);
    for (const control of ["owned\u0007", "\u009b", "\u202e"]) expect(run.text()).not.toContain(control);
    run.type("1\n");
    expect(await run.done).toBe(0);
  });

  test.each([
    ["an agent's shell", "askbox ask 'Go?' --type confirm", { CLAUDECODE: "1" }],
    ["an agent's shell that may answer", "askbox ask 'Go?' --type confirm", { CLAUDECODE: "1" }],
    ["a script that feeds its input", "echo y | askbox ask 'Go?' --type confirm", {}],
  ])("takes no answer in %s", async (name, line, env) => {
    if (name.endsWith("may answer")) await writeFile(join(home.path, "config.json"), '{"allowAnswerFromAgents": true}');
    const run = runInTerminal(home, line, { env: env as Record<string, string> });
    const [, id = ""] = await run.shows(/Asked as (\w{8}); waiting 5 min for an answer/);
    run.type("y\n");
    expect((await home.run(["answer", id, "no"])).code).toBe(0);
    await run.shows(/\nno\n/);
    expect(await run.done).toBe(0);
  });
});
