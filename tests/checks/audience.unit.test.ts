import type { SessionRecord, SessionView } from "@askbox/core";
import type { AskersRecord, PeoplesField } from "@askbox/core/transport";
import { expectTypeOf, test } from "vitest";

test("an agent's result can't be made of what is for people only, or for the store", () => {
  type Kept = Exclude<keyof SessionRecord, keyof AskersRecord>;
  expectTypeOf<Kept>().toEqualTypeOf<"schema" | "owner" | "scope" | "digest" | "snoozed" | "waking" | "requests">();
});

test("what a view says to people only is a snooze, how its agent was woken, and an answer that can still be undone", () => {
  expectTypeOf<PeoplesField>().toEqualTypeOf<"snoozedUntil" | "waking" | "scheduled">();
  expectTypeOf<PeoplesField>().toExtend<keyof SessionView>();
});

test("a field of the record that nobody has decided about doesn't compile", () => {
  type Complete<Rows extends { [Field in keyof Required<SessionRecord & { urgency: number }>]: boolean }> = Rows;
  // @ts-expect-error: `urgency` has no row.
  type Undecided = Complete<Record<keyof SessionRecord, true>>;
  expectTypeOf<Undecided>().not.toBeNever();
});
