import type { Action, Question, SessionView } from "@askbox/core";
import { expect, test } from "vitest";
import { digitOfOption, keyOfOption, optionOfDigit, optionOfKey } from "../src/commands/index.ts";
import { clockDuration, coarseDuration, emptyField, errorOf, type Field, fieldAfter, folderName, sessionTitle } from "../src/index.ts";

test("durations use the largest unit that fits", () => {
  expect([0, 59_999, 60_000, 3_599_999, 3_600_000, 172_799_999, 172_800_000].map(coarseDuration)).toEqual([
    { unit: "seconds", count: 0 },
    { unit: "seconds", count: 59 },
    { unit: "minutes", count: 1 },
    { unit: "minutes", count: 59 },
    { unit: "hours", count: 1 },
    { unit: "hours", count: 47 },
    { unit: "days", count: 2 },
  ]);
});

test("a countdown shows 0:00 only when it is over", () => {
  expect([-5, 0, 1, 59_001, 245_000, 3_600_000].map(clockDuration)).toEqual(["0:00", "0:00", "0:01", "1:00", "4:05", "1:00:00"]);
});

test("digits pick the first ten options", () => {
  expect(["1", "9", "0", "x", "12"].map((key) => optionOfDigit(key, 10))).toEqual([0, 8, 9, undefined, undefined]);
  expect(optionOfDigit("3", 2)).toBeUndefined();
  expect([0, 9, 10].map(digitOfOption)).toEqual(["1", "0", undefined]);
});

test("digits with a modifier pick the eleventh to the twentieth option", () => {
  const all = Array.from({ length: 20 }, (_, index) => index);
  expect(all.map((index) => optionOfKey(keyOfOption(index, "alt"), 20, "alt"))).toEqual(all);
  expect(keyOfOption(10, "shift")).toBe("shift+1");
  expect([20, 1_000].map((index) => keyOfOption(index, "alt"))).toEqual(["", ""]);
  for (const key of ["alt+4", "shift+1", "alt+x", "alt+", "+", ""]) expect(optionOfKey(key, 13, "alt"), key).toBeUndefined();
});

test("a project is named after its folder, on every platform", () => {
  expect(["/home/ada/engine", "C:\\work\\engine\\", "/"].map(folderName)).toEqual(["engine", "engine", "/"]);
});

test("an approval is named by what is to be allowed, on one line of 100 characters", () => {
  const titled = (action: Action) =>
    sessionTitle({
      title: "Bash: npm test",
      questions: [{ id: "a", type: "approval", question: "?", required: true, action }],
    } as unknown as SessionView);
  expect(titled({ kind: "command", tool: "Bash", title: "npm test", command: "ls\n  rm -rf ~" })).toBe("Bash: ls rm -rf ~");
  expect(titled({ kind: "edit", diff: "--- a.ts\n+++ b.ts\n@@ -1 +1 @@\n-a\n+b\n" })).toBe("b.ts");
  expect(titled({ kind: "edit", tool: "apply_patch", diff: "*** Begin Patch\n*** Update File: c.ts\n" })).toBe("apply_patch: c.ts");
  expect(titled({ kind: "tool", tool: "Read", input: { file_path: "/etc/hosts" } })).toBe("Read: file_path: /etc/hosts");
  // A tool that shows nothing but arguments has the agent's words after its own name, which they can't hide.
  expect(titled({ kind: "tool", tool: "github.create_issue", title: "Create\nan issue", input: { owner: "acme" } })).toBe(
    "github.create_issue – Create an issue",
  );
  expect(titled({ kind: "command", command: "😀".repeat(500) })).toBe(`${"😀".repeat(99)}…`);
});

test("an order is put together one option after the other, and is an answer once all are in it", () => {
  const question: Question = {
    id: "q",
    type: "ranking",
    question: "?",
    required: true,
    options: [
      { value: "a", label: "A" },
      { value: "b", label: "B" },
    ],
  };
  const rank = (field: Field, value: string) => fieldAfter(question, field, { kind: "rank", value });
  const first = rank(emptyField, "b");
  expect(first.values).toEqual(["b"]);
  expect(errorOf(question, first)).toBeDefined();
  expect(rank(first, "b")).toEqual(first);
  expect(rank(first, "c")).toEqual(first);
  const both = rank(first, "a");
  expect(both.values).toEqual(["b", "a"]);
  expect(errorOf(question, both)).toBeUndefined();
});
