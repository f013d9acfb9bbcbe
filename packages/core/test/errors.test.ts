import { AskboxError, errorCodes, isAskboxError, silentLog, toAskboxError } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import { expect, test } from "vitest";

test("an error has its code, its message and its details", () => {
  const cause = new Error("disk full");
  const error = new AskboxError("CONFLICT", "Try again.", { details: { tries: 2 }, cause });
  expect([error.name, error.code, error.message, error.details]).toEqual(["AskboxError", "CONFLICT", "Try again.", { tries: 2 }]);
  expect(error.cause).toBe(cause);
  expect("cause" in new AskboxError("CONFLICT", "Try again.")).toBe(false);
});

test("it survives the wire, except for its cause; an unknown code of a newer askbox becomes INTERNAL", () => {
  const plain = new AskboxError("CONFLICT", "Try again.", { cause: new Error("secret") });
  expect(plain.toJSON()).toStrictEqual({ code: "CONFLICT", message: "Try again." });
  const told = { code: "VALIDATION", message: "It is too long.", details: { at: 1 } } as const;
  expect(AskboxError.fromJSON(told).toJSON()).toStrictEqual(told);
  expect(AskboxError.fromJSON({ code: "toString" as never, message: "?" }).toJSON()).toStrictEqual({ code: "INTERNAL", message: "?" });
});

test("it is recognised by its class and its code", () => {
  const error = new AskboxError("CONFLICT", "Try again.");
  expect([isAskboxError(error), isAskboxError(error, "CONFLICT"), isAskboxError(error, "INTERNAL")]).toEqual([true, true, false]);
  expect(isAskboxError({ code: "CONFLICT", message: "Try again." }, "CONFLICT")).toBe(false);
});

test("it is recognised across copies of askbox, and only an askbox error is", async () => {
  const copy = (await import(`../src/errors.ts?${"copy"}`)) as typeof import("@askbox/core");
  const theirs = new copy.AskboxError("CONFLICT", "Try again.");
  expect(theirs).not.toBeInstanceOf(AskboxError);
  expect([isAskboxError(theirs), isAskboxError(theirs, "CONFLICT"), isAskboxError(theirs, "INTERNAL")]).toEqual([true, true, false]);
  expect(toAskboxError(theirs)).toBe(theirs);
  expect([null, undefined, "CONFLICT", new Error("CONFLICT"), {}].filter((thrown) => isAskboxError(thrown))).toEqual([]);
});

test("anything thrown becomes one: itself, or INTERNAL with the value as its cause", () => {
  const error = new AskboxError("CONFLICT", "Try again.");
  expect(toAskboxError(error)).toBe(error);
  const other = new TypeError("no such thing");
  expect(toAskboxError(other)).toMatchObject({ code: "INTERNAL", message: "no such thing", cause: other });
  expect(toAskboxError("broken")).toMatchObject({ code: "INTERNAL", message: "broken", cause: "broken" });
});

test("each code says who can fix it, and the table is frozen", () => {
  const byWhom = Object.groupBy(Object.entries(errorCodes), ([, { fixedBy }]) => fixedBy);
  const codes = (who: keyof typeof byWhom) => byWhom[who]?.map(([code]) => code);
  expect(codes("person")).toEqual(["INVALID_ANSWER", "TOO_MANY_ROUNDS", "CANCELLED", "TIMED_OUT", "ELICITATION_TIMED_OUT"]);
  expect(codes("operator")).toEqual(["PROTOCOL_MISMATCH", "HUB_UNREACHABLE", "STORE_UNAVAILABLE", "STORE_DAMAGED"]);
  expect(codes("askbox")).toEqual(["INTERNAL"]);
  expect(codes("caller")).toEqual([
    ...["VALIDATION", "SESSION_NOT_FOUND", "UNKNOWN_AGENT", "AMBIGUOUS_ID", "SESSION_CLOSED", "SESSION_PENDING", "DRAFT_CONFLICT"],
    ...["CONFLICT", "ABORTED", "UNAUTHORIZED", "FORBIDDEN", "RATE_LIMITED", "TOO_MANY_PENDING", "PAYLOAD_TOO_LARGE", "HUB_CLOSING"],
    ...["ELICITATION_NOT_SUPPORTED", "ELICITATION_UNKNOWN", "ELICITATION_EXPIRED", "ELICITATION_USED", "ELICITATION_FOREIGN"],
    "ELICITATION_CHANGED",
  ]);
  expect(Object.isFrozen(errorCodes)).toBe(true);
});

test("the silent log writes nothing", () => {
  expect(silentLog("error", "anything")).toBeUndefined();
});

test.each(["", "x"])("neither a long message nor what it quotes ends with half a character (after %j)", (before) => {
  const long = `${before}${"😀".repeat(20_000)}`;
  for (const text of [new AskboxError("VALIDATION", long).message, quote(long)]) expect(text).toMatch(/😀…"?$/);
});
