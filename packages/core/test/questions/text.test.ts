import { answerText, expectedAnswer } from "@askbox/core/questions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { asked, kept, refusalOf } from "./support.ts";

describe("a text", () => {
  test("without a format is kept verbatim", () => {
    const question = asked("text");
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (written) => {
        fc.pre(written.trim() !== "");
        expect(kept(question, written)).toEqual({ value: written });
        expect(answerText(question, { questionId: "q", values: [written] })).toBe(written);
      }),
    );
  });

  test.each([
    ["email", "ada@example.com"],
    ["email", "ada.king+askbox@sub.example.co.uk"],
    ["url", "https://example.com/a?b=c#d"],
    ["url", "http://localhost:3000"],
    ["url", "mailto:ada@example.com"],
    ["url", "urn:isbn:9780141036144"],
    ["date-time", "2026-03-05T14:30:00Z"],
    ["date-time", "2026-03-05T14:30:00.250+01:00"],
  ])("of format %s accepts %j, and trims it", (format, written) => {
    expect(kept(asked("text", { format }), ` ${written}\n`)).toEqual({ value: written });
  });

  test.each([
    ["email", "ada", /email/],
    ["email", "ada@example", /email/],
    ["email", "ada@example.com, bob@example.com", /email/],
    ["email", `${"a".repeat(250)}@example.com`, /email/],
    ["url", "example.com", /web address/],
    ["url", "localhost:3000", /web address/],
    ["url", "example.com:8080/x", /web address/],
    ["url", "https://exa mple.com", /web address/],
    ["url", "https://example.com/a b", /web address/],
    ["date-time", "2026-03-05 14:30", /Enter date, time and zone/],
    ["date-time", "2026-03-05T14:30:00", /Enter date, time and zone/],
    ["date-time", "2026-02-30T14:30:00Z", /Enter date, time and zone/],
    ["date-time", "2026-03-05T24:00:00Z", /Enter date, time and zone/],
  ])("of format %s rejects %j", (format, written, sentence) => {
    expect(kept(asked("text", { format }), written)).toEqual({ refused: expect.stringMatching(sentence) });
  });

  test("takes the same texts as an email address and as a web address as zod does", () => {
    const [email, url] = [asked("text", { format: "email" }), asked("text", { format: "url" })];
    const takes = (question: typeof email, written: string) => "value" in kept(question, written);
    const parts = fc.constantFrom("a", "Z", "1", ".", "-", "_", "+", "@", "x.io", "é", "@a.bc", "http://", "/", "?", "[::1]", "%");
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 8 }), (chosen) => {
        const written = chosen.join("");
        expect([written, takes(email, written)]).toEqual([written, z.email().safeParse(written).success]);
        expect([written, takes(url, written)]).toEqual([written, z.url().safeParse(written).success]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("enforces its length limits, leniently for an emoji, which counts as one or two", () => {
    const question = asked("text", { minLength: 2, maxLength: 4 });
    expect(kept(question, "a")).toEqual({ refused: "The text must be at least 2 characters long; it has 1." });
    expect(kept(question, "abcde")).toEqual({ refused: "The text must be at most 4 characters long; it has 5." });
    expect(kept(question, "😀")).toHaveProperty("refused");
    expect(kept(question, "😀😀")).toEqual({ value: "😀😀" });
    expect(kept(question, "😀😀😀")).toHaveProperty("refused");
    expect(expectedAnswer(question)).toBe("text of 2 to 4 characters");
  });

  test("suggests what the agent proposes, unless it is blank", () => {
    expect(asked("text", { suggestion: "lathe" })).toMatchObject({ suggestion: "lathe" });
    expect(asked("text", { suggestion: "  " })).not.toHaveProperty("suggestion");
    expect(kept(asked("text", { suggestion: "lathe" }))).toEqual({ refused: "An answer is required." });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ minLength: 5, maxLength: 4 }, "questions[0] has a minLength of 5 above its maxLength of 4; no answer could be valid"],
    [{ format: "phone" }, 'questions[0].format must be one of "email", "url", "date-time"'],
    [
      { format: "email", suggestion: "ada" },
      'questions[0] suggests "ada", which it would not accept: This is not an email address; enter one such as ada@example.com.',
    ],
    [{ minLength: 1.5 }, "questions[0].minLength must be a whole number"],
    [{ minLength: -1 }, "questions[0].minLength must be at least 0"],
  ])("with %j is rejected with a sentence", (fields, sentence) => {
    expect(refusalOf("text", fields)).toBe(sentence);
  });
});
