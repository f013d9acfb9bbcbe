import type { Question } from "@askbox/core";
import { anAsk, anAsker } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { openInbox } from "./support/inbox.ts";

const style = {
  id: "style",
  question: "Which styling approach?",
  type: "select" as const,
  options: ["Tailwind", { label: "CSS Modules", value: "modules" }],
};

describe("askbox answer", () => {
  test("answers one question by its option's label and confirms the answer", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [style] });
    expect(await inbox.run(["answer", id.slice(0, 6), "css modules", "--comment", "go on"])).toEqual({
      code: 0,
      stdout: `Answered ${id.slice(0, 8)} for test-client (agent-1): CSS Modules.\n`,
      stderr: "",
    });
    expect((await inbox.desk.get(id)).outcome).toMatchObject({
      kind: "answered",
      answers: [{ questionId: "style", values: ["modules"] }],
      comment: "go on",
      by: { surface: "cli", name: "grace" },
    });
  });

  test("attaches files by their paths, also as the whole answer", async () => {
    const path = import.meta.filename;
    const inbox = await openInbox();
    const one = await inbox.ask({ questions: [{ id: "look", question: "How should it look?" }] });
    expect((await inbox.run(["answer", one.id, "--file", path])).stdout).toContain(": [answer-and-cancel.test.ts].");
    const several = await inbox.ask({ questions: [style, { id: "why", question: "Why?" }] });
    const ran = await inbox.run(["answer", several.id, "--set", "style=Tailwind", "--set", "why=Fast", "--file", `why=${path}`]);
    expect(ran.stdout).toContain("Tailwind; Fast [answer-and-cancel.test.ts].");
    expect((await inbox.desk.get(several.id)).outcome).toMatchObject({
      answers: [
        { values: ["Tailwind"] },
        { values: ["Fast"], files: [{ name: "answer-and-cancel.test.ts", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] },
      ],
    });
    const last = await inbox.ask({ questions: [style] });
    await inbox.run(["answer", last.id, "Tailwind", "--comment", "Like this", "--comment-file", path]);
    expect((await inbox.desk.get(last.id)).outcome).toMatchObject({
      answers: [{ values: ["Tailwind"] }],
      comment: "Like this",
      files: [{ name: "answer-and-cancel.test.ts" }],
    });
    expect((await inbox.run(["show", last.id])).stdout).toContain("Comment: Like this [answer-and-cancel.test.ts]");
  });

  test.each([
    ["a number as it is kept", { question: "?", type: "number" as const, unit: "GB" }, ["3.50"], "3.5", "3.5 GB"],
    ["a negative number", { question: "?", type: "number" as const }, ["--", "-4"], "-4", "-4"],
    ["a date", { question: "?", type: "date" as const }, ["2026-03-05"], "2026-03-05", "2026-03-05"],
    ["a text of a format", { question: "?", format: "email" as const }, [" ada@example.com "], "ada@example.com", "ada@example.com"],
  ])("answers with %s", async (_, question, words, value, said) => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [question] });
    const ran = await inbox.run(["answer", id, ...words]);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(`: ${said}.`) });
    expect((await inbox.desk.get(id)).outcome).toMatchObject({ answers: [{ values: [value] }] });
  });

  test.each([
    ["one list", ["--set", "q=size,PRICE,#1"], ["Size", "price", "Speed"]],
    ["one by one", ["--set", "q=Price", "--set", "q=Speed", "--set", "q=Size"], ["price", "Speed", "Size"]],
    ["bare words", ["Speed", "Size", "Price"], ["Speed", "Size", "price"]],
  ])("ranks by %s, and rejects an incomplete order", async (_, words, values) => {
    const inbox = await openInbox();
    const options = ["Speed", { label: "Price", value: "price" }, "Size"];
    const { id } = await inbox.ask({ questions: [{ id: "q", question: "What first?", type: "ranking", options }] });
    expect((await inbox.run(["show", id])).stdout).toContain("'#N,#N,#N'");
    const part = await inbox.run(["answer", id, "--set", "q=Size,Speed"]);
    expect(part.stderr).toContain("Put all 3 options in order; 2 are.");
    expect((await inbox.run(["answer", id, ...words])).code).toBe(0);
    expect((await inbox.desk.get(id)).outcome).toMatchObject({ answers: [{ values }] });
  });

  test.each([
    ["1,5", { question: "?", type: "number" as const }, "This isn't a number, or can be read"],
    ["1.000", { question: "?", type: "number" as const }, "This can be read in two ways"],
    ["05.03.2026", { question: "?", type: "date" as const }, "Enter a date as YYYY-MM-DD"],
    ["example.com", { question: "?", format: "url" as const }, "This is not a web address"],
  ])("does not guess what %s means", async (word, question, sentence) => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [question] });
    const ran = await inbox.run(["answer", id, word]);
    expect(ran).toMatchObject({ stdout: "", stderr: expect.stringContaining(sentence) });
    expect(ran.code).not.toBe(0);
    expect((await inbox.desk.get(id)).status).toBe("pending");
  });

  test("shows a question of an unknown type, refuses an answer to it, and declines it", async () => {
    const inbox = await openInbox();
    const hologram: Question = {
      id: "h",
      type: "unknown",
      question: "Which beam?",
      required: true,
      original: { type: "hologram", options: ["a"] },
    };
    const { session } = await inbox.asker.ask(anAsk({ questions: [hologram] }), { asker: anAsker(), maxWait: 0 });
    const shown = (await inbox.run(["show", session.id])).stdout;
    expect(shown).toContain("a type of question that this askbox does not know");
    expect(shown).not.toContain("askbox answer");
    for (const words of [["a"], ["--set", "h=a"], ["--other", "h=a"]]) {
      const ran = await inbox.run(["answer", session.id, ...words]);
      expect(ran).toMatchObject({ stdout: "", stderr: expect.stringContaining("does not know this type of question") });
      expect(ran.code).not.toBe(0);
    }
    expect((await inbox.desk.get(session.id)).status).toBe("pending");
    expect((await inbox.run(["cancel", session.id])).code).toBe(0);
    expect((await inbox.desk.get(session.id)).status).toBe("cancelled");
  });

  test("answers several questions by flags", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({
      questions: [
        { id: "name", question: "Name?" },
        style,
        { id: "more", question: "More?", type: "multi-select", options: ["X", "Y"] },
        { id: "rest", question: "Rest?", required: false },
      ],
    });
    const flags = [
      "--set",
      "name=Card",
      "--other",
      "style=Mine",
      "--note",
      "style=sorry",
      "--set",
      "more=y",
      "--set",
      "more=x",
      "--skip",
      "rest",
    ];
    expect((await inbox.run(["answer", id, ...flags])).code).toBe(0);
    expect((await inbox.desk.get(id)).outcome).toMatchObject({
      answers: [
        { questionId: "name", values: ["Card"] },
        { questionId: "style", values: [], customText: "Mine", note: "sorry" },
        { questionId: "more", values: ["Y", "X"] },
        { questionId: "rest", values: [] },
      ],
    });
  });

  test("reads the answers as JSON from standard input", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [style] });
    const stdin = JSON.stringify({ answers: [{ questionId: "style", values: ["Tailwind"] }], comment: "by script" });
    expect(await inbox.run(["answer", id, "--json", "-"], { stdin })).toMatchObject({ code: 0 });
    expect((await inbox.desk.get(id)).outcome).toMatchObject({
      answers: [{ questionId: "style", values: ["Tailwind"] }],
      comment: "by script",
    });
  });

  test("accepts a value that starts with a dash after --", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [{ id: "flag", question: "Which flag?" }] });
    expect((await inbox.run(["answer", id, "--", "--force"])).code).toBe(0);
    expect((await inbox.desk.get(id)).outcome).toMatchObject({ answers: [{ questionId: "flag", values: ["--force"] }] });
  });

  test.each([
    ["an unknown option", ["Sass"], "", 1, '"Sass" is not one of the options. The options are #1 Tailwind, #2 CSS Modules. (style)'],
    ["two values on a select", ["Tailwind", "modules"], "", 1, "Choose a single option, or Other. (style)"],
    ["a value and Other on a select", ["Tailwind", "--other", "style=Mine"], "", 1, "Choose a single option, or Other. (style)"],
    ["a blank Other", ["--other", "style=  "], "", 1, "The text of Other is blank. (style)"],
    ["a required question that is skipped", ["--skip", "style"], "", 1, "An answer is required. (style)"],
    ["no answer at all", [], "", 2, "Specify an answer: a VALUE."],
    ["an unknown question", ["--set", "stile=Tailwind"], "", 2, '--set: there is no question "stile" here; its questions are style.'],
    [
      "{} as JSON",
      ["--json", "-"],
      "{}",
      2,
      'The answers must be {"answers": [{"questionId": "…", "values": ["…"]}], "comment": "…"}; answers is invalid.',
    ],
    ["what is no JSON", ["--json", "-"], "{", 2, "Standard input is not valid JSON"],
    ["a file that is not there", ["--json", "/nonexistent/answers.json"], "", 2, "/nonexistent/answers.json can't be read"],
    ["JSON and a value", ["Tailwind", "--json", "-"], "{}", 2, "--json contains the whole answer; remove the other answers."],
    [
      "JSON for a question of another session",
      ["--json", "-"],
      '{"answers":[{"questionId":"x","values":["y"]}]}',
      1,
      "No question of this session has this id. (x)",
    ],
  ])("rejects %s with a sentence, and the question stays open", async (_, args, stdin, code, sentence) => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [style] });
    const ran = await inbox.run(["answer", id, ...args], { stdin });
    expect(ran).toMatchObject({ code, stdout: "" });
    expect(ran.stderr).toContain(sentence);
    expect((await inbox.desk.get(id)).status).toBe("pending");
  });

  test("rejects a blank text", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [{ id: "name", question: "Name?" }] });
    expect(await inbox.run(["answer", id, "  "])).toMatchObject({
      code: 1,
      stderr: "The answer is incomplete or invalid:\n  An answer is required. (name)\n",
    });
  });

  test("reports the actual outcome if somebody else was first", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [style] });
    await inbox.desk.answer(id, { answers: [{ questionId: "style", values: ["modules"] }] });
    await inbox.clock.advance(20_000);
    expect(await inbox.run(["answer", id, "Tailwind"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "Nothing changed: this is already settled. Answered by ada in the browser, 20 s ago: CSS Modules\n",
    });
  });

  // promise: agent-shell-refused
  test.each([
    ["answer", ["Tailwind"]],
    ["cancel", []],
  ])("%s is refused in an agent's shell", async (name, args) => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [style] });
    const ran = await inbox.run([name, id, ...args], { agent: "Claude Code" });
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain(`This shell belongs to Claude Code, and agents must not ${name} questions`);
    expect((await inbox.desk.get(id)).status).toBe("pending");
  });
});

test("askbox cancel settles the question and tells the agent why", async () => {
  const inbox = await openInbox();
  const { id } = await inbox.ask({ questions: [style] });
  expect(await inbox.run(["cancel", id, "--reason", "Use your judgement"])).toEqual({
    code: 0,
    stdout: `Declined ${id.slice(0, 8)} from test-client (agent-1).\n`,
    stderr: "",
  });
  expect((await inbox.desk.get(id)).outcome).toMatchObject({
    kind: "cancelled",
    reason: "Use your judgement",
    by: { surface: "cli", name: "grace" },
  });
  expect(await inbox.run(["cancel", id])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Declined by grace on the command line, just now: Use your judgement"),
  });
});
