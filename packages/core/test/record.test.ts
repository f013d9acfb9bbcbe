import { AskboxError, checkAnswers, type SessionRecord } from "@askbox/core";
import { readRecord, recordSchemaVersion } from "@askbox/core/stores";
import { aRecord, settled } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import golden from "./fixtures/record-1.json" with { type: "json" };
import goldenTypes from "./fixtures/record-1-types.json" with { type: "json" };
import golden2 from "./fixtures/record-2.json" with { type: "json" };
import golden3 from "./fixtures/record-3.json" with { type: "json" };

const outcomeAnswers = ({ context }: SessionRecord) => (context.outcome?.kind === "answered" ? context.outcome.answers : []);

describe("reading a stored session", () => {
  test("understands the first schema as written", () => {
    const record = readRecord(golden);
    expect(record.id).toBe(golden.id);
    expect(record.context.outcome?.kind).toBe("answered");
    expect(JSON.parse(JSON.stringify(record))).toEqual({ ...golden, schema: recordSchemaVersion, requests: {}, thread: [] });
  });

  test("understands the question types added later, as written", () => {
    const record = readRecord(goldenTypes);
    expect(JSON.parse(JSON.stringify(record))).toEqual({ ...goldenTypes, schema: recordSchemaVersion, requests: {}, thread: [] });
    expect(checkAnswers(record.request.questions, outcomeAnswers(record)).ok).toBe(true);
  });

  test("understands the second schema, with its idempotency keys, as written", () => {
    expect(JSON.parse(JSON.stringify(readRecord(golden2)))).toEqual({ ...golden2, schema: recordSchemaVersion, thread: [] });
  });

  test("understands the third schema, with its thread, as written", () => {
    expect(JSON.parse(JSON.stringify(readRecord(golden3)))).toEqual(golden3);
  });

  test("returns what it was given", () => {
    for (const record of [aRecord(), settled(aRecord())]) expect(readRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  test.each([
    [
      "a newer schema",
      { ...aRecord(), schema: recordSchemaVersion + 1 },
      "A stored session has the unknown schema 4; a newer askbox may have written it.",
    ],
    ["no schema", {}, "A stored session has the unknown schema undefined; a newer askbox may have written it."],
    ["a state that does not exist", { ...aRecord(), state: "lost" }, "A stored session cannot be read: state is not valid."],
    [
      "a question without a type",
      { ...aRecord(), request: { questions: [{ id: "a" }], timeout: 1 } },
      "A stored session cannot be read: request.questions.0.type is not valid.",
    ],
    ["something else altogether", "text", "A stored session cannot be read: it is not valid."],
    ["nothing", null, "A stored session cannot be read: it is not valid."],
  ])("rejects %s with one clear sentence", (_what, stored, sentence) => {
    expect(() => readRecord(stored)).toThrow(new AskboxError("STORE_DAMAGED", sentence));
    expect(() => readRecord(stored)).toThrow(AskboxError);
    expect(() => readRecord(stored)).toThrow(expect.objectContaining({ code: "STORE_DAMAGED" }));
  });

  test("has the full details as its cause", () => {
    expect(() => readRecord({ ...aRecord(), state: "lost" })).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ issues: [expect.objectContaining({ path: ["state"] })] }) }),
    );
  });
});
