import { expectedAnswer, isTyped, offeredOptions } from "@askbox/core/questions";
import { describe, expect, test } from "vitest";
import { asked, kept, refusalOf } from "./support.ts";

describe("a rating", () => {
  test("has five steps unless its scale says otherwise", () => {
    expect(asked("rating")).toMatchObject({ type: "rating", max: 5 });
    expect(offeredOptions(asked("rating", { max: "10" })).map(({ value }) => value)).toEqual("1 2 3 4 5 6 7 8 9 10".split(" "));
    expect(isTyped(asked("rating"))).toBe(false);
  });

  test("labels its ends", () => {
    const question = asked("rating", { max: 3, minLabel: "poor", maxLabel: "great" });
    expect(expectedAnswer(question)).toBe("a rating from 1 (poor) to 3 (great)");
    expect(offeredOptions(question)).toEqual([
      { value: "1", label: "1", description: "poor" },
      { value: "2", label: "2" },
      { value: "3", label: "3", description: "great" },
    ]);
    expect(expectedAnswer(asked("rating"))).toBe("a rating from 1 to 5");
  });

  test("is stored as a step of its scale, and accepts nothing else", () => {
    const question = asked("rating", { max: 10 });
    expect(kept(question, " 10 ")).toEqual({ value: "10" });
    expect(kept(question, "1")).toEqual({ value: "1" });
    for (const written of ["0", "11", "-1", "3.0", "03", "1e1", "five", "٣", "3 of 5"]) {
      expect(kept(question, written)).toEqual({ refused: "Rate with a whole number from 1 to 10." });
    }
    expect(kept(question, "1", "2")).toEqual({ refused: "A rating question takes a single rating." });
  });

  test("is required or can be skipped, and never answered by the agent's suggestion", () => {
    expect(kept(asked("rating", { suggestion: 4 }))).toEqual({ refused: "An answer is required." });
    expect(kept(asked("rating", { required: false }))).toEqual({ value: undefined });
    expect(offeredOptions(asked("rating", { suggestion: 4 })).filter(({ recommended }) => recommended)).toEqual([
      { value: "4", label: "4", recommended: true },
    ]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ max: 1 }, "questions[0] has a max that is not a whole number from 2 to 10: 1"],
    [{ max: 11 }, "questions[0] has a max that is not a whole number from 2 to 10: 11"],
    [{ max: 4.5 }, "questions[0] has a max that is not a whole number from 2 to 10: 4.5"],
    [{ max: " " }, 'questions[0] has a max that is not a whole number from 2 to 10: " "'],
    [{ max: true }, "questions[0].max must be a number"],
    [{ suggestion: 6 }, 'questions[0] suggests "6", which it would not accept: Rate with a whole number from 1 to 5.'],
  ])("with %j is rejected with a sentence", (fields, sentence) => {
    expect(refusalOf("rating", fields)).toBe(sentence);
  });
});
