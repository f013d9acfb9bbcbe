import { expectedAnswer, moveDate } from "@askbox/core/questions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asked, kept, refusalOf } from "./support.ts";

const anyDate = () => asked("date");
const isoDay = (at: Date) => at.toISOString().slice(0, 10);
const day = fc.date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true }).map(isoDay);

describe("a date", () => {
  test("that exists in the calendar is kept as it is", () => {
    fc.assert(
      fc.property(day, (date) => {
        expect(kept(anyDate(), ` ${date} `)).toEqual({ value: date });
      }),
    );
  });

  test.each([
    "2026-02-29",
    "2100-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "0000-01-01",
    "2026-3-5",
    "05.03.2026",
    "3/5/26",
    "2026-03-05T00:00:00Z",
    "tomorrow",
    "20260305",
    "+2026-03-05",
  ])("is not parsed from %j", (written) => {
    expect(kept(anyDate(), written)).toEqual({ refused: "Enter a date as YYYY-MM-DD, such as 2026-03-05." });
  });

  test("enforces its limits", () => {
    const question = asked("date", { min: "2024-02-29", max: "2026-01-31" });
    expect(kept(question, "2024-02-28")).toEqual({ refused: "The date must be 2024-02-29 or later." });
    expect(kept(question, "2026-02-01")).toEqual({ refused: "The date must be 2026-01-31 or earlier." });
    expect([kept(question, "2024-02-29"), kept(question, "2026-01-31")]).toEqual([{ value: "2024-02-29" }, { value: "2026-01-31" }]);
    expect(expectedAnswer(question)).toBe("a date, YYYY-MM-DD from 2024-02-29 to 2026-01-31");
  });

  test.each<[Record<string, unknown>, string]>([
    [{ min: "2026-02-30" }, 'questions[0] has a min that is not a date YYYY-MM-DD: "2026-02-30"'],
    [
      { min: "2026-02-02", max: "2026-02-01" },
      "questions[0] has a min of 2026-02-02 above its max of 2026-02-01; no answer could be valid",
    ],
    [
      { suggestion: "next week" },
      'questions[0] suggests "next week", which it would not accept: Enter a date as YYYY-MM-DD, such as 2026-03-05.',
    ],
    [{ min: 2026 }, "questions[0].min must be a string"],
  ])("with %j is rejected with a sentence", (fields, sentence) => {
    expect(refusalOf("date", fields)).toBe(sentence);
  });
});

describe("moving a date", () => {
  test("by days follows the calendar", () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -5_000, max: 5_000 }), (date, days) => {
        const at = new Date(`${date}T00:00:00Z`);
        at.setUTCDate(at.getUTCDate() + days);
        const year = at.getUTCFullYear();
        expect(moveDate(date, { days })).toBe(year < 1 ? "0001-01-01" : year > 9999 ? "9999-12-31" : isoDay(at));
      }),
    );
  });

  test.each([
    ["2026-01-31", { months: 1 }, "2026-02-28"],
    ["2024-01-31", { months: 1 }, "2024-02-29"],
    ["2026-03-31", { months: -1 }, "2026-02-28"],
    ["2026-01-15", { months: -1 }, "2025-12-15"],
    ["2024-02-29", { years: 1 }, "2025-02-28"],
    ["2024-02-29", { years: -4 }, "2020-02-29"],
    ["0001-01-15", { months: -1 }, "0001-01-01"],
    ["9999-12-15", { months: 1 }, "9999-12-31"],
    ["soon", { days: 1 }, "soon"],
  ])("%s by %j is %s", (date, by, moved) => {
    expect(moveDate(date, by)).toBe(moved);
  });
});
