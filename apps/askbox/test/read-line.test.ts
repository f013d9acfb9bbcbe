import { type AskInput, createIds, parseAsk, type Question } from "@askbox/core";
import { describe, expect, test } from "vitest";
import { hintFor, readLine, readText } from "../src/prompt/read-line.ts";

const ids = createIds({ bytes: (count) => new Uint8Array(count) });
function question(input: Omit<AskInput["questions"][number], "question">): Question {
  const [only] = parseAsk({ questions: [{ id: "q", question: "Q?", ...input }] }, { ids }).questions;
  if (only === undefined) throw new Error("no question");
  return only;
}
const answer = (values: string[], customText?: string) => ({
  kind: "answer",
  answer: { questionId: "q", values, ...(customText === undefined ? {} : { customText }) },
});
const problem = (words: string) => ({ kind: "problem", sentence: expect.stringContaining(words) });

describe("a line at a choice", () => {
  const options = ["Tailwind", { label: "CSS Modules", value: "modules" }, "s"];
  const select = question({ type: "select", options });
  const several = question({ type: "multi-select", options, required: false });
  const strict = question({ type: "select", options: ["A", "B"], allowOther: false });
  test.each([
    ["a number", select, "2", answer(["modules"])],
    ["a number as the page shows it", select, "#1", answer(["Tailwind"])],
    ["a label", select, " css modules ", answer(["modules"])],
    ["an option called like a command", select, "s", answer(["s"])],
    ["own words", select, "= as it is = good", answer([], "as it is = good")],
    ["several numbers", several, "3, 1 1", answer(["s", "Tailwind"])],
    ["numbers and own words", several, "1 = and more", answer(["Tailwind"], "and more")],
    ["nothing", select, "", problem("Type a number from 1 to 3.")],
    ["a number beyond the options", select, "4", problem('"4" is no option; type a number from 1 to 3, or = and your own words.')],
    ["a word that is no option", strict, "Tailwnd", problem('"Tailwnd" is no option; type a number from 1 to 2.')],
    ["own words where none are taken", strict, "= C", problem("only the options")],
    ["two numbers where one is taken", select, "1 2", problem("Choose a single option")],
    ["a number and own words where one is taken", select, "1 = more", problem("Choose a single option")],
    ["a command", select, "c", { kind: "cancel" }],
    ["a skip that is not allowed", strict, "s", problem("An answer is required.")],
  ])("may be %s", (_, asked, line, reading) => {
    expect(readLine(asked, line)).toEqual(reading);
  });
});

describe("a line at a yes-or-no question", () => {
  const confirm = question({ type: "confirm" });
  test.each([
    ["y", answer(["yes"])],
    [" NO ", answer(["no"])],
    ["maybe", problem("Type y or n.")],
    ["", problem("Type y or n.")],
  ])("%j", (line, reading) => {
    expect(readLine(confirm, line)).toEqual(reading);
  });
});

describe("a line at a text question", () => {
  const text = question({ type: "text" });
  const optional = question({ type: "text", required: false });
  test.each([
    ["the first of a text", text, " Card", { kind: "text", line: " Card" }],
    ["a command's letter as an answer", text, "=c", { kind: "text", line: "c" }],
    ["the way to the editor", text, "e", { kind: "edit" }],
    ["a skip", optional, "s", answer([])],
    ["a skip that is not allowed", text, "s", problem("An answer is required.")],
    ["nothing", text, "", problem("c to cancel")],
    ["nothing where it may be skipped", optional, " ", problem("s to skip")],
  ])("may be %s", (_, asked, line, reading) => {
    expect(readLine(asked, line)).toEqual(reading);
  });

  test("and a text from the editor is taken whole, unless it is blank", () => {
    expect(readText(text, "a\n\nb")).toEqual(answer(["a\n\nb"]));
    expect(readText(text, " \n")).toEqual(problem("An answer is required."));
  });
});

test("f opens the form where there is one, and is a text where there is none", () => {
  const text = question({ type: "text" });
  expect(readLine(text, "f", true)).toEqual({ kind: "form" });
  expect(readLine(text, "f")).toEqual({ kind: "text", line: "f" });
  expect(hintFor(text, true)).toContain("f opens the full form");
});

test("the hint names what can be typed", () => {
  expect(hintFor(question({ type: "multi-select", options: ["A"], required: false }))).toBe(
    "Numbers choose, as in 1 3 · = and a text is your own words · s skips · c cancels",
  );
  expect(hintFor(question({ type: "confirm" }))).toBe("y or n · c cancels");
});
