import { answerProblem } from "@askbox/core/questions";
import { questionSchema } from "@askbox/core/schemas";
import { readRecord } from "@askbox/core/stores";
import { anAsk, anOutcome, aRecord, settled } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const hologram = {
  id: "q_hologram",
  type: "hologram",
  question: "How good is it?",
  required: true,
  header: "Rating",
  stars: 5,
  marks: { low: "poor" },
};
const written = JSON.parse(JSON.stringify(aRecord({ request: { ...anAsk(), questions: [hologram as never] } })));

describe("a question of a type that only a newer askbox knows", () => {
  test("leaves its session readable, with the question's own text", () => {
    expect(readRecord(written).request.questions).toEqual([
      { id: "q_hologram", type: "unknown", question: "How good is it?", required: true, header: "Rating", original: hologram },
    ]);
  });

  test("loses nothing when it is read and written again and again", () => {
    const once = JSON.parse(JSON.stringify(readRecord(written)));
    const twice = JSON.parse(JSON.stringify(readRecord(once)));
    expect(twice).toEqual(once);
    expect(twice.request.questions[0].original).toEqual(hologram);
  });

  test("is restored by the version that knows it", () => {
    const number = { id: "q", type: "number", question: "How many?", required: true, min: 1 };
    const wrapped = { id: "q", type: "unknown", question: "How many?", required: true, original: number };
    expect(questionSchema.parse(wrapped)).toEqual(number);
  });

  test("cannot be answered here, but an answer from elsewhere is kept", () => {
    const [question] = readRecord(written).request.questions;
    if (question === undefined) throw new Error("There is no question.");
    expect(answerProblem(question, { questionId: "q_hologram", values: ["4"] })?.code).toBe("unknown_type");
    expect(answerProblem({ ...question, required: false }, { questionId: "q_hologram", values: [] })).toBeUndefined();
    const refused = {
      code: "unknown_type",
      message: "This version of askbox does not know this type of question; update askbox to answer here.",
    };
    expect(answerProblem(question, { questionId: "q_hologram", values: [] })).toStrictEqual(refused);
    expect(answerProblem({ ...question, required: false }, { questionId: "q_hologram", values: ["4"] })).toStrictEqual(refused);
    const answered = settled(readRecord(written), anOutcome({ answers: [{ questionId: "q_hologram", values: ["4"] }] }));
    expect(readRecord(JSON.parse(JSON.stringify(answered))).context.outcome).toMatchObject({ answers: [{ values: ["4"] }] });
  });

  test("stays wrapped, and has a header only if it had one", () => {
    const { header: _, ...plain } = hologram;
    const wrapped = { id: "q_hologram", type: "unknown", question: "How good is it?", required: true, original: plain };
    expect(questionSchema.parse(plain)).toStrictEqual(wrapped);
    expect(questionSchema.parse(wrapped)).toStrictEqual(wrapped);
    expect(questionSchema.parse({ ...wrapped, required: false })).toMatchObject({ required: false });
  });

  test("is not created from something that is not a question", () => {
    for (const stored of [null, undefined, 7, "text", [], {}, { type: 7 }]) expect(questionSchema.safeParse(stored).success).toBe(false);
  });

  test("is not a question without an id or text", () => {
    expect(() => readRecord({ ...written, request: { questions: [{ type: "hologram" }], timeout: 1 } })).toThrow(/request.questions.0/);
  });
});
