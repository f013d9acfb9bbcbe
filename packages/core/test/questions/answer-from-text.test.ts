import { expect, test } from "vitest";
import { answerFromText, optionsNamed } from "../../src/questions.ts";
import { asked } from "./support.ts";

const select = asked("select", { options: ["Red", { value: "g", label: "Green" }] });
const exactly = asked("select", { options: ["Red", "Green"], allowOther: false });
const several = asked("multi-select", { options: ["Red", "Green", "Dark blue"] });

// promise: typed-line-is-read
test.each([
  ["an option's number", select, "2", { values: ["g"] }],
  ["its label in any case", select, " green", { values: ["g"] }],
  ["its value", select, "g", { values: ["g"] }],
  ["own words", select, "mauve", { values: [], customText: "mauve" }],
  ["several numbers", several, "1, #3", { values: ["Red", "Dark blue"] }],
  ["several labels", several, "dark blue; red", { values: ["Dark blue", "Red"] }],
  ["own words besides what is picked", several, "mauve", { values: ["Green"], customText: "mauve" }],
  ["a text", asked("text"), "2", { values: ["2"] }],
  ["yes", asked("confirm"), "YES", { values: ["yes"] }],
  ["no by its first letter", asked("confirm"), "n", { values: ["no"] }],
  ["a step of a scale by its label, not its place", asked("rating", { min: 0, max: 5 }), "2", { values: ["2"] }],
])("a typed line is read as %s", (_what, question, line, expected) => {
  expect(answerFromText(question, line, { picked: ["Green"] })).toEqual({ questionId: "q", ...expected });
});

test.each([
  ["none of the options", exactly, "mauve", "That is none of the options; reply with its number, or press its button."],
  ["a number out of range", asked("number", { max: 3 }), "7", "The number must be at most 3."],
  [
    "a decision",
    asked("approval", { action: { kind: "command", command: "ls" } }),
    "allow",
    "A text neither allows nor denies; press a button.",
  ],
  ["a file", asked("file"), "log.txt", "The answer is a file: reply with the file itself."],
])("a typed line that is %s is refused in a sentence", (_what, question, line, problem) => {
  expect(answerFromText(question, line)).toEqual({ problem });
});

const alike = asked("select", { options: ["Yes", "YES", "3"] });

test.each([
  ["an option exactly, though another differs only by case", alike, "YES", ["YES"]],
  ["two options, if it is neither exactly", alike, "yes", ["Yes", "YES"]],
  ["an option by its place", alike, "#1", ["Yes"]],
  ["no place by a bare number", alike, "2", []],
  ["an option that is called by a number", alike, "3", ["3"]],
  ["a decision by its whole label", asked("approval", { action: { kind: "command", command: "ls" } }), "deny", ["deny"]],
  ["no decision by its place", asked("approval", { action: { kind: "command", command: "ls" } }), "#1", []],
])("a word names %s", (_what, question, word, values) => {
  expect(optionsNamed(question, word)).toEqual(values);
});
