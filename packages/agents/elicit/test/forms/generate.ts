import { type Answer, parseAsk, type Question } from "@askbox/core";
import fc from "fast-check";
import * as z from "zod";
import type { FormField, FormSchema } from "../../src/forms/form-schema.ts";

/** Whether the content is valid for the form, according to an independent validator. */
export function fits(form: FormSchema, content: unknown): string | undefined {
  const checked = z.fromJSONSchema(form as never).safeParse(content);
  return checked.success ? undefined : JSON.stringify(checked.error.issues);
}

const word = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() === text && text !== "")
  // The independent validator treats inherited properties as present.
  .filter((text) => !(text in {}));
const words = fc.record({ title: word, description: word }, { requiredKeys: [] });
const values = fc.uniqueArray(word, { minLength: 1, maxLength: 5 });
const day = fc.date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true }).map((date) => date.toISOString());
const formatted = {
  email: fc.constantFrom("ada@example.com", "a.b+c@sub.example.org"),
  uri: fc.constantFrom("https://example.com/a?b=c", "http://localhost:3000/"),
  date: day.map((text) => text.slice(0, 10)),
  "date-time": day,
};

/** A form field with valid content. */
interface Sample {
  field: FormField;
  value: unknown;
}

const withWords = (sample: fc.Arbitrary<Sample>) =>
  fc.tuple(words, sample).map(([texts, { field, value }]): Sample => ({ field: { ...texts, ...field }, value }));

const text = fc.tuple(word, fc.nat(3), fc.nat(3), fc.boolean()).map(([value, less, more, limited]): Sample => {
  const points = [...value].length;
  const range = { minLength: Math.max(0, points - less), maxLength: value.length + more };
  return { field: { type: "string", ...(limited ? range : {}) }, value };
});
const format = fc
  .constantFrom(...(["email", "uri", "date", "date-time"] as const))
  .chain((name) => formatted[name].map((value): Sample => ({ field: { type: "string", format: name }, value })));
const anInteger = fc
  .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.nat(10), fc.nat(10))
  .map(([value, less, more]): Sample => ({ field: { type: "integer", minimum: value - less, maximum: value + more }, value }));
const aNumber = fc
  .integer({ min: -99_999, max: 99_999 })
  .map((value): Sample => ({ field: { type: "number" }, value: value / 8 + 0.0625 }));
const aBoolean = fc.boolean().map((value): Sample => ({ field: { type: "boolean" }, value }));
const choice = fc.tuple(values, fc.nat(), fc.constantFrom("enum", "names", "oneOf")).map(([offered, pick, how]): Sample => {
  const value = offered[pick % offered.length];
  const label = (choice: string) => `Label of ${choice}`;
  if (how === "enum") return { field: { type: "string", enum: offered }, value };
  if (how === "names") return { field: { type: "string", enum: offered, enumNames: offered.map(label) }, value };
  return { field: { type: "string", oneOf: offered.map((choice) => ({ const: choice, title: label(choice) })) }, value };
});
const list = fc.tuple(values, fc.nat(), fc.boolean()).map(([offered, count, titled]): Sample => {
  const chosen = offered.slice(0, 1 + (count % offered.length));
  const items = titled
    ? { anyOf: offered.map((choice) => ({ const: choice, title: `The ${choice}` })) }
    : { type: "string" as const, enum: offered };
  return { field: { type: "array", items, minItems: 1, maxItems: chosen.length }, value: chosen };
});

const sample = withWords(fc.oneof(text, format, anInteger, aNumber, aBoolean, choice, list));

/** A form with valid content: every required field, and some of the others. */
export const filledForm = fc
  .uniqueArray(fc.record({ name: word, sample, required: fc.boolean(), filled: fc.boolean() }), {
    selector: ({ name }) => name,
    minLength: 1,
    maxLength: 24,
  })
  .map((fields) => {
    const required = fields.filter((field) => field.required).map(({ name }) => name);
    const form: FormSchema = {
      type: "object",
      properties: Object.fromEntries(fields.map(({ name, sample: { field } }) => [name, field])),
      ...(required.length === 0 ? {} : { required }),
    };
    const content = Object.fromEntries(
      fields.flatMap((field) => (field.required || field.filled ? [[field.name, field.sample.value]] : [])),
    );
    return { form, content };
  });

/** The answers that a person would give for this content. */
export function answersFor(questions: readonly Question[], content: Readonly<Record<string, unknown>>): Answer[] {
  return questions.map(({ id, type }): Answer => {
    const value = Object.hasOwn(content, id) ? content[id] : undefined;
    if (value === undefined) return { questionId: id, values: [] };
    if (type === "confirm") return { questionId: id, values: [value === true ? "yes" : "no"] };
    return { questionId: id, values: [value].flat().map(String) };
  });
}

const numbers = Array.from({ length: 100_000 }, (_, index) => index).values();
export const ids = { question: () => `q_${numbers.next().value}` };

const base = fc.record({ header: fc.option(word, { nil: undefined }), required: fc.boolean() });
const options = fc
  .uniqueArray(word, { minLength: 1, maxLength: 4 })
  .chain((labels) =>
    fc
      .tuple(fc.constant(labels), fc.boolean())
      .map(([labels, plain]) => labels.map((value) => (plain ? value : { label: `The ${value}`, value }))),
  );
const limits = fc.constantFrom<[number?, number?]>([], [1], [1, 3], [undefined, 2]);

interface AskedSample {
  question: Record<string, unknown>;
  answer: Omit<Answer, "questionId">;
}

const valueOfOption = (option: string | { value: string }) => (typeof option === "string" ? option : option.value);

const asked: fc.Arbitrary<AskedSample> = fc.oneof(
  word.map((value) => ({ question: { type: "text" }, answer: { values: [value] } })),
  fc
    .constantFrom(...(["email", "uri", "date-time"] as const))
    .chain((name) =>
      formatted[name].map((value) => ({ question: { type: "text", format: name === "uri" ? "url" : name }, answer: { values: [value] } })),
    ),
  fc
    .integer({ min: -999, max: 999 })
    .map((value) => ({ question: { type: "number", min: -999, integer: true }, answer: { values: [String(value)] } })),
  fc
    .integer({ min: -999, max: 999 })
    .map((value) => ({ question: { type: "number", unit: "kg" }, answer: { values: [String(value / 4 + 0.125)] } })),
  formatted.date.map((value) => ({ question: { type: "date" }, answer: { values: [value] } })),
  fc
    .tuple(fc.integer({ min: 2, max: 10 }), fc.nat())
    .map(([max, pick]) => ({ question: { type: "rating", max }, answer: { values: [String(1 + (pick % max))] } })),
  fc
    .uniqueArray(word, { minLength: 2, maxLength: 4 })
    .map((offered) => ({ question: { type: "ranking", options: offered.toSorted() }, answer: { values: offered } })),
  fc.boolean().map((value) => ({ question: { type: "confirm" }, answer: { values: [value ? "yes" : "no"] } })),
  fc.tuple(options, fc.nat(), fc.option(word, { nil: undefined })).map(([offered, pick, other]) => ({
    question: { type: "select", options: offered, allowOther: other !== undefined || pick % 2 === 0 },
    answer: other === undefined ? { values: [valueOfOption(offered[pick % offered.length] ?? "")] } : { values: [], customText: other },
  })),
  fc.tuple(options, fc.nat(), fc.option(word, { nil: undefined }), limits).map(([offered, pick, other, [minChoices, maxChoices]]) => ({
    question: { type: "multi-select", options: offered, allowOther: other !== undefined, minChoices, maxChoices },
    answer: {
      values: offered.slice(0, 1 + (pick % (other === undefined ? Math.min(offered.length, 2) : 1))).map(valueOfOption),
      customText: other,
    },
  })),
);

/** The questions of an ask with valid answers; some of the optional ones are skipped. */
export const answeredQuestions = fc
  .array(
    fc.record({
      base,
      sample: asked,
      text: word,
      skip: fc.boolean(),
      id: fc.option(
        word.filter((id) => id !== "__proto__"),
        { nil: undefined },
      ),
    }),
    {
      minLength: 1,
      maxLength: 10,
    },
  )
  .filter((samples) => {
    const own = samples.flatMap(({ id }) => (id === undefined ? [] : [id]));
    return new Set(own).size === own.length;
  })
  .map((samples) => {
    const { questions } = parseAsk(
      {
        questions: samples.map(({ base: { header, required }, sample: { question }, text: words_, id }) => ({
          ...question,
          header,
          required,
          question: words_,
          id,
        })),
      },
      { ids },
    );
    const answers = questions.map((question, index): Answer => {
      const { skip, sample: { answer } = { answer: { values: [] } } } = samples[index] ?? {};
      return { questionId: question.id, ...(skip && !question.required ? { values: [] } : answer) };
    });
    return { questions, answers };
  });
