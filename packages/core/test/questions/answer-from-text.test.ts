import { expect, test } from "vitest";
import { answerFromText } from "../../src/questions.ts";
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
