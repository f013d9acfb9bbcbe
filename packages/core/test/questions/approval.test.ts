import { type Action, checkAnswers, parseAsk, type QuestionOf } from "@askbox/core";
import {
  actionLine,
  actionParts,
  answerText,
  changedInput,
  expectedAnswer,
  offeredOptions,
  otherArguments,
  takesOther,
  traitsOf,
} from "@askbox/core/questions";
import { parseAskJson, questionSchema } from "@askbox/core/schemas";
import { seededIds } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { asked, refusalOf } from "./support.ts";

const action = { kind: "command", tool: "Bash", command: "npm test", cwd: "/home/ada/engine" };
const fields = { action, grants: ["session", { value: "project", label: "Allow nothing at all" }], editable: true };
const check = (
  answer: { values: string[]; customText?: string; input?: Record<string, unknown> },
  own: Record<string, unknown> = fields,
) => {
  const question = asked("approval", own);
  const checked = checkAnswers([question], [{ questionId: question.id, ...answer }]);
  return checked.ok ? "taken" : checked.issues.map(({ code, message }) => `${code}: ${message}`).join();
};

describe("an approval", () => {
  test("shows an action and offers to deny it first, then to allow it, then to grant it, with no recommendation", () => {
    const question = asked("approval", { ...fields, required: false });
    expect(question).toMatchObject({ type: "approval", action, required: true, editable: true });
    expect(offeredOptions(question).map(({ value, label, recommended }) => [value, label, recommended])).toEqual([
      ["deny", "Deny", undefined],
      ["allow", "Allow once", undefined],
      ["session", "Allow for the rest of this conversation", undefined],
      ["project", "Allow in this project", undefined],
    ]);
    expect([takesOther(question), traitsOf(question).picks, traitsOf(question).singleUse]).toEqual([false, "decision", true]);
    expect(expectedAnswer(question)).toBe("allow or deny");
  });

  test.each(["allow", "deny", "session", "project", "project:1m", "session:30d", "project:12h", "project:8h:npm", "session:1d:npm test"])(
    "is answered by %s",
    (value) => {
      expect(check({ values: [value] })).toBe("taken");
    },
  );

  test("accepts a reason for a denial, and changed arguments for a single approval", () => {
    expect(check({ values: ["deny"], customText: "Use the staging database" })).toBe("taken");
    expect(check({ values: ["allow"], input: { command: "npm test -- --run" } })).toBe("taken");
  });

  test.each<[Parameters<typeof check>[0], string]>([
    [{ values: [] }, "required: An answer is required."],
    [{ values: [], customText: "allow" }, "shape: Answer allow, one of the grants, or deny."],
    [{ values: ["allow", "project"] }, "shape: Answer allow, one of the grants, or deny."],
    [{ values: ["Allow"] }, 'not_an_option: "Allow" is not one of the options.'],
    [{ values: ["allow:8h"] }, 'not_an_option: "allow:8h" is not one of the options.'],
    [{ values: ["everywhere"] }, 'not_an_option: "everywhere" is not one of the options.'],
    [{ values: ["project:31d"] }, 'shape: "31d" is not a time from 1m to 30d, such as 30m, 8h or 7d.'],
    [{ values: ["project:"] }, 'shape: "" is not a time from 1m to 30d, such as 30m, 8h or 7d.'],
    [{ values: ["project::npm"] }, 'shape: "" is not a time from 1m to 30d, such as 30m, 8h or 7d.'],
    [{ values: ["allow"], customText: "go" }, "shape: Only a denial has a reason."],
    [{ values: ["deny"], customText: " " }, "blank_other: The reason is blank."],
    [{ values: ["deny"], input: {} }, "shape: A denial has no arguments."],
    [{ values: ["project"], input: {} }, "shape: Changed arguments can only be allowed once."],
  ])("is not answered by %j", (answer, problem) => {
    expect(check(answer)).toBe(problem);
  });

  test("accepts neither a grant that is not offered nor arguments that cannot be changed", () => {
    expect(check({ values: ["project"] }, { action })).toBe('not_an_option: "project" is not one of the options.');
    expect(check({ values: ["allow"], input: {} }, { action })).toBe("shape: The arguments of this action cannot be changed.");
  });

  test("is summarised as the decision", () => {
    const text = (answer: { values: string[]; customText?: string; input?: Record<string, unknown> }) =>
      answerText(asked("approval", fields), { questionId: "q", ...answer });
    expect(text({ values: ["deny"], customText: "Not today" })).toBe("Deny: Not today");
    expect(text({ values: ["allow"], input: {} })).toBe("Allow once, with changed arguments");
    expect(text({ values: ["project:7d"] })).toBe("Allow in this project for 7d");
    expect(text({ values: ["project:7d:npm run a:b"] })).toBe("Allow in this project for 7d, any command that begins with npm run a:b");
  });

  test("of a plan is called what it means, and answered by the same values", () => {
    const plan = { action: { kind: "plan", tool: "ExitPlanMode", text: "# Tests" } };
    const question = asked("approval", plan);
    expect(offeredOptions(question).map(({ value, label }) => [value, label])).toEqual([
      ["deny", "Keep planning"],
      ["allow", "Approve plan"],
    ]);
    expect(["deny", "allow"].map((value) => check({ values: [value] }, plan))).toEqual(["taken", "taken"]);
    expect(answerText(question, { questionId: "q", values: ["deny"], customText: "Fewer steps" })).toBe("Keep planning: Fewer steps");
  });

  test("shows what is done before the tool and the place", () => {
    const parts = actionParts({ kind: "edit", tool: "Edit", path: "/a", diff: "+1", input: { why: "so" } });
    expect(parts.map(({ name }) => name)).toEqual(["diff", "arguments", "tool", "path"]);
    expect(actionLine([{ action: { kind: "tool", tool: "github.list_repos" } }])).toBe("github.list_repos");
  });

  test("is also accepted as JSON text and by another name", () => {
    const sent = { question: "?", type: "permission", action: JSON.stringify(action), grants: "session, project" };
    const { questions } = parseAsk({ questions: [sent] }, { ids: seededIds() });
    expect(questions).toMatchObject([{ type: "approval", action, grants: [{ value: "session" }, { value: "project" }] }]);
  });

  test.each(["9007199254740993", "1e999", '{"__proto__":{"admin":true}}', "1.0"])("shows the argument %s as it was written", (value) => {
    for (const input of [`{"a":${value},"command":"npm test"}`, `{"__proto__":${value}}`]) {
      const text = `{"kind":"command","tool":"Bash","command":"npm test","input":${input}}`;
      const sent = [text, (parseAskJson(`{"action":${text}}`) as { action: unknown }).action];
      for (const action of sent) {
        const question = asked("approval", { action, editable: true }) as QuestionOf<"approval">;
        if (!input.startsWith('{"a":{')) expect([question.action.inputJson, question.editable]).toEqual([input, undefined]);
        // As the question is stored and sent.
        const stored = questionSchema.parse(JSON.parse(JSON.stringify(question))) as QuestionOf<"approval">;
        const shown = actionParts(stored.action).find(({ name }) => name === "arguments")?.text ?? "";
        expect(shown.replace(/[\s│]/g, "")).toBe(`${input.startsWith('{"a"') ? "a" : "__proto__"}:${value}`);
      }
    }
  });

  test("has no text of arguments that their values hold exactly", () => {
    const { action: parsed } = asked("approval", {
      action: { kind: "tool", inputJson: '{ "a": [1, {"b": "c"}] }' },
    }) as QuestionOf<"approval">;
    expect(parsed).toEqual({ kind: "tool", input: { a: [1, { b: "c" }] } });
    expect(refusalOf("approval", { action: { kind: "tool", inputJson: "[1]" } })).toBe(
      "questions[0].action.inputJson is not valid: it must be a JSON object",
    );
    expect(refusalOf("approval", { action: '{"kind":"tool","input":{"a":1,"a":2}}' })).toBe(
      "questions[0] has an action that is not valid JSON, or that uses a name twice",
    );
  });

  test("hides no argument whose text equals the command's, the path's or the plan's", () => {
    const shown = (action: Action) => otherArguments(action).map(([name]) => name);
    expect(shown({ kind: "command", command: "ls", input: { command: "ls", path: "ls", script: "ls" } })).toEqual(["path", "script"]);
    expect(shown({ kind: "edit", path: "a", diff: "d", input: { file_path: "a", filePath: "b", command: "a" } })).toEqual([
      "filePath",
      "command",
    ]);
    expect(shown({ kind: "plan", text: "p", input: { plan: "p", title: "p" } })).toEqual(["title"]);
    expect(shown({ kind: "edit", path: "a", input: { url: "a", file_path: "a", notebook_path: "a" } })).toEqual(["url", "notebook_path"]);
  });

  test("shows no argument like another, or as several", () => {
    const shown = (input: Record<string, unknown>) => actionParts({ kind: "tool", input }).find(({ name }) => name === "arguments")?.text;
    expect(shown({ "force: false\nto": 1 })).toBe('"force: false\\nto": 1');
    expect(shown({ "a: b": "c" })).toBe('"a: b": c');
    expect(shown({ dry: "false", count: "1", none: "null", said: '"x"' })).toBe('dry: "false"\ncount: "1"\nnone: "null"\nsaid: "\\"x\\""');
    expect(shown({ dry: false, count: 1, none: null, said: "x" })).toBe("dry: false\ncount: 1\nnone: null\nsaid: x");
  });

  test("keeps the exact arguments of questions that were sent as text", () => {
    const input = '{"id":9007199254740993}';
    const text = `[{"question":"?","type":"approval","action":{"kind":"tool","tool":"x","input":${input}}}]`;
    const { questions } = parseAsk({ questions: text }, { ids: seededIds() });
    expect(questions).toMatchObject([{ action: { inputJson: input } }]);
    const twice = text.replace("{", '{"a":1,"a":2,');
    expect(() => parseAsk({ questions: twice }, { ids: seededIds() })).toThrow("uses a name twice");
  });

  test("of a tool without arguments is asked like any other", () => {
    expect(asked("approval", { action: { kind: "tool", tool: "mcp__db__reset", input: {} } })).toMatchObject({
      action: { tool: "mcp__db__reset" },
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["no action", {}, "questions[0].action must be an object with a kind, and what is to be allowed"],
    ["no kind", { action: { command: "ls" } }, "questions[0].action must be an object with a kind, and what is to be allowed"],
    [
      "nothing to show",
      { action: { kind: "tool", tool: " ", command: " ", input: {} } },
      "questions[0] has an action that shows nothing; give its tool, command, path, diff, text or input",
    ],
    ["broken JSON", { action: "{" }, "questions[0] has an action that is not valid JSON, or that uses a name twice"],
    ["another grant", { action, grants: ["for ever"] }, 'questions[0] offers the grant "for ever"; there are session and project'],
    [
      "more than a person reads",
      { action: { kind: "edit", path: "a", diff: "ä".repeat(102_400) } },
      "questions[0] has an action of more than 204800 bytes; let the client's own prompt decide",
    ],
  ])("with %s is rejected with a sentence", (_what, own, sentence) => {
    expect(refusalOf("approval", own)).toBe(sentence);
  });
});

const input = { command: "rm -rf dist", timeout: 5 };

test.each<[string | undefined, object | undefined]>([
  [undefined, {}],
  ['{ "timeout": 5, "command": "rm -rf dist" }', { input: { timeout: 5, command: "rm -rf dist" } }],
  [JSON.stringify(input), {}],
  ['{"a": 1.5}', { input: { a: 1.5 } }],
  ["[1]", undefined],
  ["null", undefined],
  ["", undefined],
  ['{"id": 12345678901234567890}', undefined],
])("%j changes the arguments to %j", (text, changed) => {
  expect(changedInput(asked("approval", { ...fields, action: { ...action, input } }), { values: [], input: text })).toEqual(changed);
});

test("an asker that takes no changed arguments gets none", () => {
  expect(changedInput(asked("approval", { action: { ...action, input } }), { values: [], input: '{"a": 1}' })).toEqual({});
});
