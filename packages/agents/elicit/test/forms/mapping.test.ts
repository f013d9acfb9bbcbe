import { type Answer, checkAnswers, parseAsk, type Question } from "@askbox/core";
import { offeredOptions, questionTypes, takesOther, traitsOf } from "@askbox/core/questions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { readForm } from "../../src/forms/exact-form.ts";
import { formOfQuestions } from "../../src/forms/form-of-questions.ts";
import type { FormSchema } from "../../src/forms/form-schema.ts";
import { questionsOfForm } from "../../src/forms/questions-of-form.ts";
import { formOfZod } from "../../src/forms/zod-form.ts";
import { answeredQuestions, answersFor, filledForm, fits, ids } from "./generate.ts";

const questionsOf = (form: FormSchema, message = "Please fill this in") => {
  const { parts, content } = questionsOfForm(message, form);
  return { sessions: parts.map((part) => parseAsk(part, { ids })), content };
};

const oneField = (field: unknown, required = true) =>
  questionsOf(readForm({ type: "object", properties: { it: field }, ...(required ? { required: ["it"] } : {}) })).sessions[0]?.questions[0];

describe("the questions of a form", () => {
  test("accept all content that is valid for the form, through sessions of the inbox, and return it unchanged", () => {
    fc.assert(
      fc.property(filledForm, ({ form, content }) => {
        expect(fits(form, content)).toBeUndefined();
        const { sessions, content: read } = questionsOf(form);
        const answers = sessions.flatMap(({ questions }) => {
          const checked = checkAnswers(questions, answersFor(questions, content));
          if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
          return checked.answers;
        });
        expect(read(answers)).toEqual(content);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    [
      { type: "string", minLength: 2, maxLength: 9 },
      { type: "text", minLength: 2, maxLength: 9 },
    ],
    [
      { type: "string", format: "email" },
      { type: "text", format: "email" },
    ],
    [
      { type: "string", format: "uri" },
      { type: "text", format: "url" },
    ],
    [
      { type: "string", format: "date-time" },
      { type: "text", format: "date-time" },
    ],
    [{ type: "string", format: "date" }, { type: "date" }],
    [
      { type: "number", minimum: 0.5, maximum: 2 },
      { type: "number", min: 0.5, max: 2 },
    ],
    [
      { type: "integer", exclusiveMinimum: 0 },
      { type: "number", integer: true, min: 1 },
    ],
    [
      { type: "integer", minimum: 1, maximum: 5, default: 4 },
      { type: "rating", max: 5, suggestion: "4" },
    ],
    [
      { type: "integer", minimum: 1, maximum: 11 },
      { type: "number", integer: true, min: 1, max: 11 },
    ],
    [{ type: "boolean" }, { type: "confirm" }],
    [
      { type: "string", enum: ["a", "b"], enumNames: ["A"] },
      {
        type: "select",
        allowOther: false,
        options: [
          { value: "a", label: "A" },
          { value: "b", label: "b" },
        ],
      },
    ],
    [
      { type: "string", oneOf: [{ const: "a", title: "The A" }], default: "a" },
      { type: "select", options: [{ value: "a", label: "The A", recommended: true }] },
    ],
    [
      { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 2 },
      { type: "multi-select", minChoices: 1, maxChoices: 2 },
    ],
    [
      { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
      { type: "multi-select", required: false, options: [{ value: "a", label: "A" }] },
    ],
    [
      { type: "string", default: "x" },
      { type: "text", suggestion: "x" },
    ],
    [
      { type: "integer", default: 3 },
      { type: "number", suggestion: "3" },
    ],
  ])("show %j as intended", (field, question) => {
    expect(oneField(field)).toMatchObject(question);
  });

  test("never prefill a default, and leave a skipped field out, whatever the schema proposes", () => {
    const proposals = {
      yes: { type: "boolean", default: true },
      text: { type: "string", default: "all of them" },
      choice: { type: "string", enum: ["keep", "wipe"], default: "wipe" },
      count: { type: "integer", default: 3 },
      list: { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["a"] },
    };
    const { sessions, content } = questionsOf(readForm({ type: "object", properties: proposals }), "x".repeat(1_000));
    const questions = sessions.flatMap((session) => session.questions);
    expect(questions.map(({ required }) => required)).toEqual(questions.map(() => false));
    expect(JSON.stringify(sessions)).not.toMatch(/skipped/i);
    expect(content(questions.map(({ id }) => ({ questionId: id, values: [] })))).toEqual({});
  });

  test("show the default of a yes-or-no field as a suggestion, as of any other", () => {
    expect(oneField({ type: "boolean", default: true, description: "Send news?" }, false)).toMatchObject({
      type: "confirm",
      question: "Send news?",
      suggestion: "yes",
    });
    expect(oneField({ type: "boolean", default: false })).toMatchObject({ suggestion: "no" });
  });

  test("keep the words of the first field when the message is long", () => {
    const form = readForm({ type: "object", properties: { it: { type: "boolean", description: "Delete the backups too?" } } });
    const [question] = questionsOf(form, "x".repeat(5_000)).sessions[0]?.questions ?? [];
    expect(question?.question).toMatch(/^x{900,}…\n\nDelete the backups too\?$/);
    expect(question?.question).toHaveLength(1_000);
  });

  test("omit a default that is not a valid answer", () => {
    expect(oneField({ type: "integer", minimum: 5, default: 1 })).not.toHaveProperty("suggestion");
  });

  test.each([
    ["https://müller.example/straße", "https://xn--mller-kva.example/stra%C3%9Fe"],
    ["https://a.example/{x}|y", "https://a.example/%7Bx%7D%7Cy"],
    ["https://a.example", "https://a.example"],
  ])("give the server %j as a URI", (entered, uri) => {
    const { content } = questionsOf(readForm({ type: "object", properties: { site: { type: "string", format: "uri" } } }));
    expect(content([{ questionId: "site", values: [entered] }])).toEqual({ site: uri });
  });

  test("support names that records cannot have, and texts of any length", () => {
    const properties = Object.fromEntries([["__proto__", { type: "string" }]]);
    const { sessions, content } = questionsOf(readForm({ type: "object", properties }), "🦊".repeat(5_000));
    const [question] = sessions[0]?.questions ?? [];
    expect(Object.entries(content([{ questionId: question?.id ?? "", values: ["x"] }]) ?? {})).toEqual([["__proto__", "x"]]);
    expect(question?.question.length).toBeLessThanOrEqual(1_000);
    expect(question?.question).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });

  test("have a title, and without a field are one yes-or-no question", () => {
    expect(questionsOf({ type: "object", properties: {} }, " \n").sessions).toMatchObject([{ title: "Please fill in this form" }]);
    const { sessions, content } = questionsOf({ type: "object", properties: {} }, "Go on?");
    expect(sessions[0]?.questions).toMatchObject([{ type: "confirm", question: "Go on?" }]);
    expect(content([{ questionId: "accepted", values: ["yes"] }])).toEqual({});
    expect(content([{ questionId: "accepted", values: ["no"] }])).toBeUndefined();
  });

  test.each([
    ["a nested object", { type: "object", properties: {} }],
    ["a list of anything", { type: "array", items: { type: "number" } }],
    ["nothing known", {}],
    ["a value that it may not be", { type: "string", not: { const: "a" } }],
  ])("are rejected with a sentence that names the field if it contains %s", (_name, field) => {
    expect(() => readForm({ type: "object", properties: { deep: field } })).toThrow(/The field "deep" cannot be shown in a form/);
  });

  test.each<[string, object]>([
    ["pattern", { type: "string", pattern: "^[a-z]+$" }],
    ["contentEncoding", { type: "string", contentEncoding: "base64" }],
    ["uuid", { type: "string", format: "uuid" }],
    ["limited length", { type: "string", format: "date", maxLength: 5 }],
    ["no texts", { type: "integer", enum: [1, 2] }],
    ["no texts", { enum: ["a", 2] }],
    ["no texts", { const: true }],
    ["no texts", { type: "integer", enum: ["1", "2"] }],
    ["no texts", { oneOf: [{ const: 1, title: "One" }] }],
    ["no texts", { type: "array", items: { enum: [1, 2] } }],
    ["minLength", { type: "string", enum: ["a", "bc"], minLength: 2 }],
    ["pattern", { oneOf: [{ const: "a", pattern: "b" }] }],
    ["maxLength", { maxLength: 5, anyOf: [{ type: "string", maxLength: 9 }, { type: "null" }] }],
    ["maxLength", { $ref: "#/$defs/long", maxLength: 5 }],
    ["multipleOf", { type: "number", multipleOf: 5 }],
    ["exclusiveMinimum", { type: "number", exclusiveMinimum: 0 }],
    ["exclusiveMinimum", { type: "integer", minimum: 0, exclusiveMinimum: true }],
    ["format", { type: "integer", format: "int32" }],
    ["contains", { type: "array", items: { type: "string", enum: ["a", "b"] }, contains: { const: "a" } }],
    ["pattern", { type: "array", items: { type: "string", enum: ["a", "b"], pattern: "a" } }],
    ["may be null", { type: ["string", "null"] }],
    ["readOnly", { type: "string", readOnly: true }],
    ["constructor", { type: "string", constructor: 1 }],
  ])("are rejected with a sentence that names the field if its schema has what would be dropped: %s of %j", (said, field) => {
    const schema = { type: "object", properties: { it: field }, required: ["it"], $defs: { long: { type: "string", maxLength: 9 } } };
    expect(() => readForm(schema)).toThrow(/^(The|The list of the) field "it" [^\n]{1,90}, which a form cannot keep to\.$/);
    expect(() => readForm(schema)).toThrow(said);
  });

  test.each([
    { minProperties: 1 },
    { dependentRequired: { it: ["other"] } },
    { if: {}, else: { required: ["it"] } },
    { allOf: [{ required: ["it"] }] },
    { patternProperties: { i: { maxLength: 2 } } },
    { required: ["other"] },
  ])("are rejected if the form has what would be dropped: %j", (keywords) => {
    expect(() => readForm({ type: "object", properties: { it: { type: "string" } }, ...keywords })).toThrow(/^The form .* cannot keep to/);
  });

  test("are accepted with what says nothing about the values, and with an optional field that may be null", () => {
    const words = { title: "It", description: "A field", examples: ["x"], deprecated: true, $comment: "c" };
    const properties = {
      it: { ...words, type: "string" },
      maybe: { anyOf: [{ type: "string", maxLength: 5 }, { type: "null" }], default: null },
      one: { anyOf: [{ const: "a", title: "A" }, { const: "b" }, { type: "null" }] },
      many: { type: "array", uniqueItems: true, items: { type: "string", enum: ["a"] } },
      more: { type: "integer", minimum: 0, exclusiveMinimum: 5, maximum: 9, exclusiveMaximum: 9 },
    };
    const { form } = { form: readForm({ $schema: "x", type: "object", properties, additionalProperties: false }) };
    expect(form.properties).toMatchObject({ maybe: { maxLength: 5 }, one: { type: "string" }, more: { minimum: 6, maximum: 8 } });
    expect(form.required).toBeUndefined();
  });

  test("have an id for each name, and never one that another field has", () => {
    const names = ["__proto__", "", " ", "n".repeat(300), "field 1", "field 1_", "field 2", "field 3", "field 4"];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const { sessions, content } = questionsOf(readForm({ type: "object", properties }));
    const questions = sessions.flatMap((session) => session.questions);
    const filled = content(questions.map(({ id }, index) => ({ questionId: id, values: [`${index}`] })));
    expect(Object.entries(filled ?? {})).toEqual(names.map((name, index) => [name, `${index}`]));
  });

  test("are rejected if a value is offered twice", () => {
    expect(() => readForm({ type: "object", properties: { it: { type: "string", enum: ["a", "a"] } } })).toThrow(
      /"it" offers a value twice/,
    );
  });
});

describe("a zod schema as a form", () => {
  test("only contains what a client's form supports", () => {
    const schema = z.object({
      email: z.email().describe("Your email address"),
      site: z.url().optional(),
      born: z.iso.date(),
      at: z.iso.datetime(),
      age: z.number().int().positive().max(150),
      color: z.enum(["red", "green"]).default("red"),
      news: z.boolean().optional(),
      tags: z.array(z.enum(["a", "b"])).min(1),
      code: z.string().regex(/^[A-Z]+$/),
      fixed: z.literal("yes"),
    });
    expect(formOfZod(schema).form).toEqual({
      type: "object",
      properties: {
        email: { title: "email", type: "string", format: "email", description: "Your email address" },
        site: { title: "site", type: "string", format: "uri" },
        born: { title: "born", type: "string", format: "date" },
        at: { title: "at", type: "string", format: "date-time" },
        age: { title: "age", type: "integer", minimum: 1, maximum: 150 },
        color: { title: "color", type: "string", enum: ["red", "green"], default: "red" },
        news: { title: "news", type: "boolean" },
        tags: { title: "tags", type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1 },
        code: { title: "code", type: "string" },
        fixed: { title: "fixed", type: "string", enum: ["yes"] },
      },
      required: ["email", "born", "at", "age", "tags", "code", "fixed"],
    });
  });

  /** A TypeScript enum, as it is at run time. */
  const Level = { Low: 1, High: 2, 1: "Low", 2: "High" } as const;
  const shared = z.enum(["a", "b"]).meta({ id: "Shared" });

  test.each<[string, z.ZodType, { field: object; entered: unknown; value: unknown }]>([
    ["a literal number", z.literal(5), { field: { enum: ["5"] }, entered: "5", value: 5 }],
    ["a literal boolean", z.literal(true), { field: { enum: ["true"] }, entered: "true", value: true }],
    ["several literals", z.literal([1, "x"]), { field: { enum: ["1", "x"] }, entered: "1", value: 1 }],
    [
      "a numeric enum, by its names",
      z.enum(Level),
      {
        field: {
          oneOf: [
            { const: "1", title: "Low" },
            { const: "2", title: "High" },
          ],
        },
        entered: "2",
        value: 2,
      },
    ],
    ["a union of literals", z.union([z.literal("a"), z.literal(2)]), { field: { enum: ["a", "2"] }, entered: "2", value: 2 }],
    ["a union of enums", z.union([z.enum(["a", "b"]), z.literal(3)]), { field: { enum: ["a", "b", "3"] }, entered: "b", value: "b" }],
    [
      "a list of numbers",
      z.array(z.literal([1, 2])).min(1),
      { field: { type: "array", items: { enum: ["1", "2"] } }, entered: ["2", "1"], value: [2, 1] },
    ],
    ["a value that the client already gave as such", z.literal([1, 2]), { field: { enum: ["1", "2"] }, entered: 2, value: 2 }],
    ["a default", z.literal([1, 2]).default(2), { field: { enum: ["1", "2"], default: "2" }, entered: "1", value: 1 }],
    ["a schema with an id", shared, { field: { enum: ["a", "b"] }, entered: "a", value: "a" }],
    ["nullish text", z.string().nullish(), { field: { type: "string" }, entered: "x", value: "x" }],
    ["a nullable text left empty", z.email().nullable(), { field: { format: "email" }, entered: "", value: null }],
    ["a nullable field left out", z.number().min(3).nullable(), { field: { type: "number", minimum: 3 }, entered: undefined, value: null }],
    ["a nullish field left out", z.enum(["a"]).nullish(), { field: { enum: ["a"] }, entered: undefined, value: undefined }],
    ["a nullable enum", z.enum(["a"]).nullable(), { field: { enum: ["a"] }, entered: "a", value: "a" }],
    ["a literal null", z.literal(["a", null]), { field: { enum: ["a"] }, entered: undefined, value: null }],
  ])("keeps the choices and the values of %s", (_name, schema, { field, entered, value }) => {
    const whole = z.object({ it: schema });
    const { form, valuesOf } = formOfZod(whole);
    expect(form.properties["it"]).toMatchObject(field);
    expect(readForm(form), "it is a form").toEqual(form);
    const content = valuesOf(entered === undefined ? {} : { it: entered });
    expect(content).toEqual(value === undefined ? {} : { it: value });
    expect(whole.safeParse(content).success, "and its content fits the schema").toBe(true);
    const question = questionsOf(form).sessions[0]?.questions[0];
    expect(question?.required, "a nullable field can be skipped").toBe(form.required !== undefined);
  });

  test("has a field for each key of a record, if they are known", () => {
    const { form } = formOfZod(z.record(z.enum(["a", "b"]), z.boolean()));
    expect(form).toMatchObject({ properties: { a: { type: "boolean" }, b: { type: "boolean" } }, required: ["a", "b"] });
  });

  test("is rejected if no form can represent it", () => {
    expect(() => formOfZod(z.string())).toThrow(/wrap a single value/);
    expect(() => formOfZod(z.object({ inner: z.object({ a: z.string() }) }))).toThrow(/"inner"/);
    for (const unknown of [z.record(z.string(), z.number()), z.union([z.string(), z.number()]), z.array(z.string()), z.null()]) {
      expect(() => formOfZod(z.object({ unknown }))).toThrow(/"unknown"/);
    }
    expect(() => formOfZod(z.record(z.string(), z.number()))).toThrow(/flat fields/);
    expect(() => formOfZod(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]))).toThrow(/flat fields/);
    expect(() => formOfZod(z.object({ when: z.date() }))).toThrow(/cannot be written as JSON Schema/);
  });
});

/** What a person would enter into the form to give these answers. */
function typedInto(form: FormSchema, questions: readonly Question[], answers: readonly Answer[]): Record<string, unknown> {
  const names = Object.keys(form.properties);
  let at = 0;
  const entries: [string, unknown][] = [];
  for (const [index, question] of questions.entries()) {
    const { values = [], customText } = answers[index] ?? {};
    const [value] = values;
    const { picks, formField } = traitsOf(question);
    const options = offeredOptions(question);
    const field = form.properties[names[at] ?? ""];
    if (picks === "many" && field?.type === "boolean") {
      for (const option of options) entries.push([names[at++] ?? "", values.includes(option.value)]);
    } else if (picks === "order") {
      for (const rank of options.keys()) entries.push([names[at++] ?? "", values[rank] ?? ""]);
    } else {
      const name = names[at++] ?? "";
      if (picks === "many") entries.push([name, values]);
      else if (value !== undefined) entries.push([name, formField !== undefined && formField.type !== "string" ? Number(value) : value]);
    }
    if (takesOther(question)) entries.push([names[at++] ?? "", customText ?? ""]);
  }
  // An untouched list is not sent, if that is allowed.
  return Object.fromEntries(
    entries.filter(([name, value]) => !((value === "" || (Array.isArray(value) && value.length === 0)) && !form.required?.includes(name))),
  );
}

describe.each([true, false])("questions as a client's form, in a revision with lists: %s", (lists) => {
  test("accept every valid answer, in content that is valid for the form, and return it unchanged", () => {
    fc.assert(
      fc.property(answeredQuestions, fc.option(fc.constant("A remark"), { nil: undefined }), ({ questions, answers }, remark) => {
        const put = formOfQuestions(questions, { lists });
        if (put === undefined) throw new Error("The questions have no form.");
        expect(readForm(put.form)).toEqual(put.form);
        const remarkName = Object.keys(put.form.properties).at(-1) ?? "";
        const content = { ...typedInto(put.form, questions, answers), ...(remark === undefined ? {} : { [remarkName]: remark }) };
        expect(fits(put.form, content)).toBeUndefined();
        const set = put.answers(content);
        const checked = checkAnswers(questions, set.answers);
        if (!checked.ok) throw new Error(JSON.stringify([checked.issues, content]));
        const single = questions.length === 1 && remark !== undefined;
        expect(checked.answers).toEqual(checkedOf(questions, single ? answers.map((answer) => ({ ...answer, note: remark })) : answers));
        expect(set.comment).toBe(single ? undefined : remark);
      }),
      { numRuns: 300 },
    );
  });
});

function checkedOf(questions: readonly Question[], answers: readonly Answer[]): Answer[] {
  const checked = checkAnswers(questions, answers);
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  return checked.answers;
}

test("the generated questions are of every type but an approval and a review, which no form of the asker's own may answer", () => {
  const made = fc.sample(answeredQuestions, 200).flatMap(({ questions }) => questions.map(({ type }) => type));
  expect([...new Set(made)].sort()).toEqual(questionTypes.filter((type) => !["approval", "review", "file"].includes(type)).sort());
});

describe("questions as a client's form", () => {
  const put = (questions: unknown[], lists = true) => {
    const request = parseAsk({ questions }, { ids });
    const form = formOfQuestions(request.questions, { lists });
    if (form === undefined) throw new Error("The questions have no form.");
    return { ...form, questions: request.questions };
  };

  test("never use a checkbox for yes or no, which would mean no if untouched", () => {
    expect(put([{ id: "a", question: "Sure?", type: "confirm" }]).form.properties["a"]).toMatchObject({
      type: "string",
      oneOf: [
        { const: "yes", title: "Yes" },
        { const: "no", title: "No" },
      ],
    });
  });

  test("prefill nothing: an agent's suggestion is shown in words", () => {
    const { form } = put([{ id: "a", question: "How many?", type: "number", suggestion: 3 }]);
    expect(form.properties["a"]).not.toHaveProperty("default");
    expect(form.properties["a"]?.description).toContain("Suggested: 3");
  });

  test("show a rating as a whole number with the limits of its scale, and its labels in words", () => {
    const { form, answers } = put([{ id: "a", question: "How good?", type: "rating", max: 7, minLabel: "poor" }]);
    expect(form.properties["a"]).toMatchObject({ type: "integer", minimum: 1, maximum: 7 });
    expect(form.properties["a"]?.description).toContain("a rating from 1 (poor) to 7");
    expect(answers({ a: 6 })).toEqual({ answers: [{ questionId: "a", values: ["6"] }] });
  });

  test("handle Other and the choices separately and together", () => {
    const { answers } = put([{ id: "a", question: "Which?", type: "multi-select", options: ["x", "y"] }]);
    expect(answers({ a: ["x"], a_other: "z" })).toEqual({ answers: [{ questionId: "a", values: ["x"], customText: "z" }] });
  });

  test("have field names that no question has", () => {
    const { form } = put([
      { id: "a", question: "Which?", type: "select", options: ["x"] },
      { id: "a_other", question: "Why?" },
      { id: "comment", question: "What else?" },
    ]);
    expect(Object.keys(form.properties)).toEqual(["1_a", "2_a_other_", "3_a_other", "4_comment", "5_comment_"]);
  });

  test("have field names that sort in the order of the questions, for clients that sort them", () => {
    const { form, answers } = put([
      { id: "payment", question: "How?", type: "select", options: ["Card", "Cash"] },
      { id: "amount", question: "How much?", type: "number" },
    ]);
    const names = Object.keys(form.properties);
    expect(names).toEqual(["1_payment", "2_payment_other", "3_amount", "4_comment"]);
    expect(names.toSorted()).toEqual(names);
    expect(form.required).toEqual(["3_amount"]);
    expect(answers({ "1_payment": "Card", "3_amount": 5, "4_comment": "Soon." })).toEqual({
      answers: [
        { questionId: "payment", values: ["Card"] },
        { questionId: "amount", values: ["5"] },
      ],
      comment: "Soon.",
    });
  });

  test("of a type that only a newer askbox knows have no form", () => {
    const unknown: Question = { id: "a", question: "?", required: true, type: "unknown", original: { type: "hologram" } };
    expect(formOfQuestions([unknown], { lists: true })).toBeUndefined();
  });

  test.each<{ content: unknown }>(
    [undefined, null, "text", 7, [], { a: {} }, { a: null }, { constructor: "x" }].map((content) => ({ content })),
  )("treat $content as empty", ({ content }) => {
    const { answers, questions } = put([{ id: "a", question: "Which?", type: "select", options: ["x"] }]);
    expect(checkAnswers(questions, answers(content).answers).ok).toBe(false);
  });
});
