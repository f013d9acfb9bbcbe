import { answerText, expectedAnswer } from "@askbox/core/questions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../support.ts";
import { asked, kept, refusalOf } from "./support.ts";

const anyNumber = () => asked("number");

describe("a number", () => {
  test.each([
    ["3.5", "3.5"],
    ["3.50", "3.5"],
    ["007", "7"],
    ["-0", "0"],
    ["+12", "12"],
    [" 42 \n", "42"],
    ["\u22125", "-5"],
    ["0.000", "0"],
    ["0.125", "0.125"],
    ["1234.500", "1234.5"],
    ["123456789012345680000", "123456789012345680000"],
  ])("written %j is stored as %s", (written, value) => {
    expect(kept(anyNumber(), written)).toEqual({ value });
  });

  test.each([
    "1,5",
    "1 000",
    "1\u00a0000",
    "1'000",
    "1_000",
    "1e3",
    "0x10",
    "٣",
    "½",
    "3.",
    ".5",
    "--1",
    "1.2.3",
    "NaN",
    "Infinity",
    "five",
    "5 kg",
  ])("is not guessed from %j", (written) => {
    expect(kept(anyNumber(), written)).toEqual({
      refused: expect.stringMatching(/^This isn't a number, or can be read in more than one way; use only digits/),
    });
  });

  test.each(["1.000", "12.500", "-100.000"])("%j, which would be a thousand times larger elsewhere, is rejected", (written) => {
    expect(kept(anyNumber(), written)).toEqual({ refused: expect.stringMatching(/two ways/) });
  });

  test.each(["9007199254740993", "0.1234567890123456789", "9".repeat(401), `1${"0".repeat(309)}`])(
    "%s, which no JSON number can represent, is rejected and not rounded",
    (written) => {
      expect(kept(anyNumber(), written)).toHaveProperty("refused");
    },
  );

  test("of any size in JSON is formatted, accepted, and read back the same", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (size) => {
        const { suggestion } = asked("number", { suggestion: size }) as { suggestion?: string };
        expect(suggestion).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(Number(suggestion) === size || (size === 0 && suggestion === "0")).toBe(true);
        expect(kept(anyNumber(), suggestion ?? "")).toEqual({ value: suggestion });
      }),
      { numRuns: runs(500) },
    );
  });

  test("any input is either rejected, or normalised to a stable form with the same value", () => {
    const typed = fc.oneof(fc.string(), fc.stringMatching(/^[+-]?\d{1,17}(\.\d{1,9})?$/));
    fc.assert(
      fc.property(typed, (written) => {
        const first = kept(anyNumber(), written);
        if ("refused" in first || first.value === undefined) return;
        expect(kept(anyNumber(), first.value)).toEqual(first);
        expect(Number(first.value)).toBe(Number(written.trim()) + 0);
        expect(answerText(anyNumber(), { questionId: "q", values: [first.value] })).toBe(first.value);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("enforces its limits, which can be numbers or strings", () => {
    const question = asked("number", { min: 1, max: "2.5", integer: false });
    expect(question).toMatchObject({ min: 1, max: 2.5 });
    expect(kept(question, "0.99")).toEqual({ refused: "The number must be at least 1." });
    expect(kept(question, "2.51")).toEqual({ refused: "The number must be at most 2.5." });
    expect([kept(question, "1"), kept(question, "2.5")]).toEqual([{ value: "1" }, { value: "2.5" }]);
  });

  test("can be restricted to integers", () => {
    expect(kept(asked("number", { integer: true }), "1.5")).toEqual({ refused: "Enter a whole number, without a point." });
    expect(kept(asked("number", { integer: true }), "2")).toEqual({ value: "2" });
    expect(kept(asked("number", { integer: true }), "-9007199254740991")).toEqual({ value: "-9007199254740991" });
    const { refused } = kept(asked("number", { integer: true }), "100000000000000000000") as { refused: string };
    expect(refused).toContain("too many digits");
  });

  test("is a single value, without Other", () => {
    expect(kept(anyNumber(), "1", "2")).toEqual({ refused: "A number question takes a single number." });
    expect(kept(anyNumber())).toEqual({ refused: "An answer is required." });
    expect(kept(asked("number", { required: false }))).toEqual({ value: undefined });
  });

  test("describes what it expects, with its unit", () => {
    expect(expectedAnswer(asked("number", { min: 1, max: 10, integer: true, unit: "GB" }))).toBe("a whole number from 1 to 10, in GB");
    expect(expectedAnswer(asked("number", { max: 1e21 }))).toBe("a number up to 1000000000000000000000");
    expect(answerText(asked("number", { unit: "GB" }), { questionId: "q", values: ["4"] })).toBe("4 GB");
  });

  test.each<[Record<string, unknown>, string]>([
    [{ min: 2, max: 1 }, "questions[0] has a min of 2 above its max of 1; no answer could be valid"],
    [{ min: 0.2, max: 0.8, integer: true }, "questions[0] has no whole number from its min of 0.2 to its max of 0.8"],
    [{ min: "a few" }, 'questions[0] has a min that is not a plain number: "a few"'],
    [{ min: true }, "questions[0].min must be a number"],
    [{ suggestion: 11, max: 10 }, 'questions[0] suggests "11", which it would not accept: The number must be at most 10.'],
    [{ suggestion: "1,5" }, 'questions[0] has a suggestion that is not a plain number: "1,5"'],
  ])("with %j is rejected with a sentence", (fields, sentence) => {
    expect(refusalOf("number", fields)).toBe(sentence);
  });
});
