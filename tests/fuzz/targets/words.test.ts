import { checkAnswers, parseAsk, standardPlatform } from "@askbox/core";
import { anAsk } from "@askbox/core/testing";
import fc from "fast-check";
import { answersFromWords, type Words } from "../../../apps/askbox/src/answer-from-words.ts";
import { type AskFlags, askFlags, askFromFlags, fieldOptions } from "../../../apps/askbox/src/ask-from-flags.ts";
import { fuzz } from "../engine/fuzz.ts";
import { oddText, writeOut } from "../engine/odd.ts";
import { assertSentence, orRefusal } from "../engine/oracle.ts";

const { ids } = standardPlatform(globalThis);
const questions = [
  ...anAsk().questions,
  ...parseAsk(
    {
      questions: [
        { id: "a=b", question: "How many?", type: "number", min: 1, max: 9 },
        { id: "day", question: "When?", type: "date", required: false },
        { id: "stars", question: "How good?", type: "rating" },
        { id: "mail", question: "Where?", type: "text", format: "email", maxLength: 100 },
      ],
    },
    { ids },
  ).questions,
];

const word = fc.oneof(oddText, fc.constantFrom("yes", "sqlite", "SQLite", "#1", "#99999999999999999999", "3", "1,5", "2026-02-28"));
const id = fc.oneof(oddText, fc.constantFrom(...questions.map((question) => question.id)));
const pair = fc.oneof(
  fc.tuple(id, word).map(([key, value]) => `${key}=${value}`),
  word,
);
const some = (arbitrary: fc.Arbitrary<string>) => fc.array(arbitrary, { maxLength: 3 });

const words = fc.record({
  values: some(word),
  set: some(pair),
  other: some(pair),
  note: some(pair),
  skip: some(id),
  count: fc.nat(questions.length),
});
const flag = fc.option(word, { nil: undefined });
const flags = fc.record({
  question: word,
  type: flag,
  option: fc.option(some(word), { nil: undefined }),
  format: flag,
  min: flag,
  max: flag,
  unit: flag,
  minLength: flag,
  maxLength: flag,
  minLabel: flag,
  suggestion: flag,
  timeout: flag,
  title: flag,
  optional: fc.boolean(),
});

/** The arguments of `askbox answer` and `askbox ask`. */
fuzz({
  name: "words",
  input: fc.record({ words, flags }),
  runs: 100,
  open: () => ({
    async take(input) {
      const text = JSON.stringify(input.words);
      const { count, ...flags } = JSON.parse(writeOut(text)) as Words & { count: number };
      const asked = questions.slice(0, count);
      const answers = await orRefusal(() => answersFromWords(asked, flags));
      const checked = answers === undefined ? undefined : checkAnswers(asked, answers);
      if (checked?.ok === false) for (const { message } of checked.issues) assertSentence(message, "What is wrong with an answer");
      await orRefusal(() => asks(JSON.parse(writeOut(JSON.stringify(input.flags)))));
    },
  }),
});

function asks({ question, type, timeout, option, ...rest }: Record<string, never>): void {
  const read: Record<string, unknown> = { ...rest, other: true, ...(option !== undefined && { option }) };
  if (type !== undefined) read["type"] = askFlags.type(type);
  for (const option of fieldOptions()) {
    const name = option.attributeName();
    if (read[name] !== undefined) read[name] = option.parseArg?.(String(read[name]), undefined) ?? read[name];
  }
  if (timeout !== undefined) read["timeout"] = askFlags.timeout(timeout);
  parseAsk(askFromFlags(question ?? "", read as unknown as AskFlags), { ids });
}
