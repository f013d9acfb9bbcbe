import type { Question } from "@askbox/core";
import { answerProblem, takesOther } from "@askbox/core/questions";
import { expect, test } from "vitest";
import { emptyField, type FieldEdit, fieldAfter, proposedValues } from "../src/index.ts";

const wrapped: Question = { id: "q", type: "unknown", question: "?", required: true, original: { type: "hologram" } };
/** As received from a broker of a newer version. */
const raw = {
  id: "q",
  type: "hologram",
  question: "?",
  required: true,
  options: ["a"],
  allowOther: true,
  suggestion: "a",
} as unknown as Question;

test.each([
  ["wrapped", wrapped],
  ["raw", raw],
])("a %s question of an unknown type accepts no option, no Other and no suggestion", (_how, question) => {
  const edits: FieldEdit[] = [
    { kind: "choose", value: "a" },
    { kind: "place", value: "a", index: 0 },
    { kind: "rank", value: "a" },
    { kind: "other", other: true },
    { kind: "recommended" },
  ];
  for (const edit of edits) expect(fieldAfter(question, emptyField, edit)).toEqual(emptyField);
  expect(takesOther(question)).toBe(false);
  expect(proposedValues(question)).toEqual([]);
  expect(answerProblem(question, { questionId: "q", values: ["a"] })?.code).toBe("unknown_type");
});
