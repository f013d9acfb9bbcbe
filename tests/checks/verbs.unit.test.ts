import { deskContract } from "@askbox/core/testing";
import { operations } from "@askbox/wire";
import { expect, test } from "vitest";
import { type Seen, seenInContracts, verbProblems } from "./verbs.ts";

const snooze = { snooze: { role: "desk", repeat: "operation", call: "desk.snooze" } } as const;
const seen = (overrides: Partial<Seen> = {}): Seen => {
  const keys = new Map([["desk.snooze", new Set(["request-1"])]]);
  return { sent: new Set(["snooze"]), given: keys, arrived: keys, failed: [], ...overrides };
};

test("an operation that a case sends and repeats, and whose key arrives, is complete", () => {
  expect(verbProblems(snooze, seen(), {})).toEqual([]);
});

test.each([
  ["no case sends it", { sent: new Set<string>() }, /^The operation snooze has no contract case; add one in packages.core/],
  ["no case repeats it with a key", { given: new Map() }, /^No contract case repeats the operation snooze with its idempotency key/],
  ["its key doesn't arrive", { arrived: new Map() }, /^desk\.snooze: its idempotency key is lost between the caller and the port/],
  ["a case fails", { failed: ['The contract case "…" fails'] }, /fails/],
] as const)("it is told when %s", (_, overrides, problem) => {
  expect(verbProblems(snooze, seen(overrides), {})).toEqual([expect.stringMatching(problem)]);
});

test("an exception for an operation that is gone, or that a case sends by now, is told", () => {
  expect(verbProblems(snooze, seen(), { gone: "a.test.ts", snooze: "b.test.ts" })).toEqual([
    "gone in tests/checks/verbs.ts is an exception for nothing; remove it.",
    "snooze in tests/checks/verbs.ts is an exception for nothing; remove it.",
  ]);
});

test("a verb without a case, and one that drops its key behind the wire, are found by running the contract", async () => {
  const without = deskContract.filter(({ name }) => !/snooze/i.test(name));
  const dropping = <Port extends object>(name: string, port: Port): Port =>
    name !== "desk"
      ? port
      : new Proxy(port, {
          get(target, property) {
            const value: unknown = Reflect.get(target, property);
            if (typeof value !== "function") return value;
            return (...args: unknown[]) => {
              const kept = property === "askBack" ? args.slice(0, 2) : args;
              return Reflect.apply(value, target, kept);
            };
          },
        });
  const problems = verbProblems(operations, await seenInContracts(dropping, [without]));
  expect(problems).toContainEqual(expect.stringMatching(/^The operation snooze has no contract case/));
  expect(problems).toContainEqual(
    expect.stringMatching(/^The contract case "askBack\(\) that is repeated with its idempotency key.*fails/),
  );
});
