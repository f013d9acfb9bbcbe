import { isTyped, offeredOptions, questionTypes, traitsOf } from "@askbox/core/questions";
import { readRecord } from "@askbox/core/stores";
import { expect, test } from "vitest";
import first from "../fixtures/record-1.json" with { type: "json" };
import later from "../fixtures/record-1-types.json" with { type: "json" };

const kept = () => [first, later].flatMap((record) => readRecord(record).request.questions);

test("a question of every type is among the stored records that later versions must read", () => {
  expect([...new Set(kept().map(({ type }) => type))].sort()).toEqual([...questionTypes].sort());
});

test("every type is answered in one way: by typing, by picking an option, or by attaching files", () => {
  for (const question of kept()) {
    const ways = [isTyped(question), offeredOptions(question).length > 0, traitsOf(question).attached === true];
    expect([question.type, ways.filter(Boolean)]).toEqual([question.type, [true]]);
  }
});
