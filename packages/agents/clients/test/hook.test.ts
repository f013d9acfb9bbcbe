import { describe, expect, test } from "vitest";
import { answeredInput, type HookEvent, type HookOutcome, hookReply, questionsOf, readHookEvent } from "../src/hook/claude-hook.ts";

const toolInput = {
  questions: [
    {
      question: "Which library should we use?",
      header: "Library",
      options: [
        { label: "date-fns", description: "Small", preview: "import { format }" },
        { label: "luxon", description: "Large" },
      ],
      multiSelect: false,
    },
    { question: "Which features?", header: "Features", options: [{ label: "A" }, { label: "B" }, { label: "C" }], multiSelect: true },
  ],
  metadata: { source: "remember" },
};
const settled = { answered: true, cancelled: false, timedOut: false, sessionId: "s" } as const;

describe("Claude Code's AskUserQuestion", () => {
  test("is converted to select and multi-select, with headers, descriptions and previews", () => {
    expect(questionsOf(toolInput)).toEqual({
      questions: [
        {
          id: "question-1",
          question: "Which library should we use?",
          header: "Library",
          type: "select",
          options: toolInput.questions[0]?.options,
        },
        {
          id: "question-2",
          question: "Which features?",
          header: "Features",
          type: "multi-select",
          options: toolInput.questions[1]?.options,
        },
      ],
    });
  });

  test("is answered by the question's text, with choices joined by commas, notes and previews", () => {
    const input = answeredInput(toolInput, {
      ...settled,
      answers: [
        { questionId: "question-1", values: ["date-fns"], note: "for now" },
        { questionId: "question-2", values: ["A", "C"], customText: "and D" },
      ],
      comment: "Thanks",
    });
    expect(input).toEqual({
      ...toolInput,
      answers: { "Which library should we use?": "date-fns", "Which features?": "A, C, and D" },
      annotations: { "Which library should we use?": { preview: "import { format }", notes: "for now\nThanks" } },
    });
  });

  test("may be text, with a duplicate choice, without options, or longer than a question may be", () => {
    const long = "x".repeat(1_500);
    const odd = {
      questions: JSON.stringify([{ question: long, options: [{ label: "A" }, { label: "A" }, "B", 3] }, { question: "Name?" }]),
    };
    const [first, second] = questionsOf(odd)?.questions ?? [];
    expect(first).toMatchObject({ question: `${"x".repeat(999)}…`, options: [{ label: "A" }, { label: "B" }] });
    expect(second).toEqual({ id: "question-2", question: "Name?", type: "text" });
    const answers = [{ questionId: "question-1", values: ["A"] }];
    expect(answeredInput(odd, { ...settled, answers })["answers"]).toEqual({ [long]: "A" });
  });

  // promise: outside-names
  test.each(["__proto__", "constructor", "toString"])("is answered if a question is called %s", (question) => {
    const input = { questions: [{ question, options: [{ label: "A", preview: "a" }, { label: "B" }] }] };
    const answers = [{ questionId: "question-1", values: ["A"] }];
    const sent = JSON.stringify(answeredInput(input, { ...settled, answers }));
    expect(sent).toContain(`"answers":{"${question}":"A"},"annotations":{"${question}":{"preview":"a"}}`);
  });

  test("keeps both answers if two questions have the same text", () => {
    const twice = {
      questions: [
        { question: "Q?", options: ["a", "b"] },
        { question: "Q?", options: ["c", "d"] },
      ],
    };
    const answers = [
      { questionId: "question-1", values: ["a"] },
      { questionId: "question-2", values: ["d"] },
    ];
    expect(answeredInput(twice, { ...settled, answers })["answers"]).toEqual({ "Q?": "a; d" });
  });

  test.each([undefined, null, {}, { questions: [] }, { questions: "{" }, { questions: [{ question: " " }, 3] }])(
    "asks nothing where it holds %j",
    (input) => {
      expect(questionsOf(input)).toBeUndefined();
    },
  );
});

describe("the hook", () => {
  const event = (more: object = {}) =>
    JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "AskUserQuestion", tool_input: toolInput, cwd: "/project", ...more });
  const read = (): HookEvent => {
    const found = readHookEvent(event());
    if (found === undefined) throw new Error("not read");
    return found;
  };

  test.each([
    ["another tool", event({ tool_name: "Bash" })],
    ["another event", event({ hook_event_name: "PostToolUse" })],
    ["questions that are answered already", event({ tool_input: { ...toolInput, answers: { a: "b" } } })],
    ["no JSON", "{"],
    ["nothing", ""],
  ])("prints nothing for %s", (_, text) => {
    expect(readHookEvent(text)).toBeUndefined();
  });

  test("lets the tool run with the answers in its input", () => {
    const answers = [{ questionId: "question-1", values: ["luxon"] }];
    const reply = hookReply(read(), { kind: "settled", result: { ...settled, answers } }, { headless: false });
    expect(reply?.hookSpecificOutput).toMatchObject({
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      updatedInput: { questions: toolInput.questions, answers: { "Which library should we use?": "luxon" } },
    });
  });

  test("is no error if the person asks something back, and says how to go on", () => {
    const file = { name: "sizes.png", mimeType: "image/png", size: 1, sha256: "0" };
    const askedBack = [{ text: "Which one is smaller?" }, { text: "", files: [file] }];
    const result = { ...settled, answered: false, pending: true, answers: [], askedBack };
    const reason = hookReply(read(), { kind: "settled", result }, { headless: true })?.hookSpecificOutput.permissionDecisionReason;
    expect(reason).toMatch(/^This is not an error: the person asks you something before answering/);
    expect(reason).toMatch(/\n\nWhich one is smaller\?\n\n\[sizes\.png\]\n\nAsk again with AskUserQuestion/);
  });

  test("passes a person's no on, with their words", () => {
    const result = { ...settled, answered: false, cancelled: true, answers: [], reason: "Not today" };
    for (const headless of [true, false]) {
      const reply = hookReply(read(), { kind: "settled", result }, { headless });
      expect(reply?.hookSpecificOutput).toMatchObject({
        permissionDecision: "deny",
        permissionDecisionReason: expect.stringContaining("Not today"),
      });
    }
  });

  test.each<[string, HookOutcome, string]>([
    ["nobody answers", { kind: "settled", result: { ...settled, answered: false, timedOut: true, answers: [] } }, "not an answer"],
    ["no hub is reached", { kind: "unreached", why: "No hub runs." }, "No hub runs."],
  ])("leaves the question to the client's own dialog when %s, and says why if there is none", (_, outcome, words) => {
    expect(hookReply(read(), outcome, { headless: false })).toBeUndefined();
    expect(hookReply(read(), outcome, { headless: true })?.hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining(words),
    });
  });
});

test.each([
  ["Not today", "Their words: Not today. Do not proceed"],
  ["Not today!", "Their words: Not today! Do not proceed"],
])("a reason for declining with %j ends before the next sentence", (reason, words) => {
  const event = readHookEvent(JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "AskUserQuestion", tool_input: toolInput }));
  const result = { answered: false, cancelled: true, timedOut: false, sessionId: "s", answers: [], reason };
  const reply = hookReply(event as HookEvent, { kind: "settled", result }, { headless: true });
  expect(reply?.hookSpecificOutput.permissionDecisionReason).toContain(words);
});
