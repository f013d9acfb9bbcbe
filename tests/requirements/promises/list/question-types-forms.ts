import type { PromisedPage } from "../promise.ts";

export const questionTypesFormsPage: PromisedPage = {
  page: "docs/question-types.md",
  promises: [
    {
      id: "question-types.every-field-form-protocol",
      says: "Every field that a form of the protocol can have is a question, and back:",
      tests: [
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > takes every content that fits the form, through sessions that the inbox takes, and gives it back as it was",
      ],
    },
    {
      id: "question-types.string-minlength-maxlength-format",
      says: "`string` with `minLength`, `maxLength`, `format: email`, `uri`, `date-time` | `text` with `minLength`, `maxLength`, `format: email`, `url`, `date-time`",
      tests: [
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > shows %j as it is meant",
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > takes every content that fits the form, through sessions that the inbox takes, and gives it back as it was",
      ],
    },
    {
      id: "question-types.string-format-date-date",
      says: "`string` with `format: date` | `date`",
      tests: [
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > shows %j as it is meant",
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > takes every content that fits the form, through sessions that the inbox takes, and gives it back as it was",
      ],
    },
    {
      id: "question-types.number-integer-minimum-maximum",
      says: "`number`, `integer` with `minimum`, `maximum` | `number` with `integer`, `min`, `max`",
      tests: [
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > shows %j as it is meant",
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > takes every content that fits the form, through sessions that the inbox takes, and gives it back as it was",
      ],
    },
    {
      id: "question-types.integer-1-most-10",
      says: "`integer` from 1 to at most 10 | `rating` with `max`",
      tests: [
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > shows %j as it is meant",
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > takes every content that fits the form, through sessions that the inbox takes, and gives it back as it was",
      ],
    },
    {
      id: "question-types.boolean-confirm",
      says: "`boolean` | `confirm`",
      tests: [
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > shows %j as it is meant",
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > takes every content that fits the form, through sessions that the inbox takes, and gives it back as it was",
      ],
    },
    {
      id: "question-types.enum-oneof-const-title",
      says: "`enum`, `oneOf` of `const` and `title` | `select` with `allowOther: false`",
      tests: [
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > shows %j as it is meant",
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > takes every content that fits the form, through sessions that the inbox takes, and gives it back as it was",
      ],
    },
    {
      id: "question-types.array-enum-anyof-minitems",
      says: "`array` of `enum` or `anyOf`, `minItems`, `maxItems` | `multi-select` with `allowOther: false`, `minChoices`, `maxChoices`",
      tests: [
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > shows %j as it is meant",
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > takes every content that fits the form, through sessions that the inbox takes, and gives it back as it was",
      ],
    },
    {
      id: "question-types.default-suggestion-recommended-options",
      says: "`default` | `suggestion`, or `recommended` options",
      tests: [
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > shows %j as it is meant",
        "packages/mcp/test/forms/mapping.test.ts > a form as questions > takes every content that fits the form, through sessions that the inbox takes, and gives it back as it was",
      ],
    },
    {
      id: "question-types.you-get-without-line",
      says: "**What you get without a line**: the tools, REST and `/openapi.json`, `--type` and its completion, the wire, both stores, drafts, history, `askbox show` and `answer`, the digit keys, and in the terminal a text field (`typed`) or a list to pick from (`offers`).",
      tests: [
        "packages/hub/test/rest.test.ts > REST > describes every type of question in /openapi.json, with its own fields",
        "packages/core/test/questions/every-type.test.ts > every type is answered either by typing or by picking from what it offers",
        "packages/core/test/questions/every-type.test.ts > a question of every type is among the stored records that later versions go on reading",
        "apps/askbox/test/completion.test.ts > the Tab key > offers %s",
      ],
    },
    {
      id: "question-types.nothing-may-chosen-filled",
      says: "Nothing may be chosen or filled in before a person does it: a `suggestion` is shown, and taken over by `r` or a button.",
      tests: [
        "tests/web/typed-answers.test.ts > nothing is filled in, limits are told, and what is wrong is said once a field was left",
        "tests/terminal/typed-answers.test.ts > choices tell how many, and yes or no what is suggested; neither is chosen by it",
        "tests/terminal/typed-answers.test.ts > a suggestion is shown, taken over by one key and no other, and sent by Enter",
      ],
    },
    {
      id: "question-types.version-does-know-type",
      says: "A version that does not know the type shows the question, keeps it to the letter, and lets a person turn it down, but not answer it.",
      tests: [
        "packages/core/test/questions/unknown.test.ts > a question of a type that only a newer askbox knows > leaves its session readable, with the question's own words",
        "packages/core/test/questions/unknown.test.ts > a question of a type that only a newer askbox knows > is not answered here, and its answer from elsewhere is kept",
        "tests/terminal/typed-answers.test.ts > a question that only a newer askbox knows is shown and cannot be answered, but turned down",
        "packages/wire/test/newer-types.test.ts > a desk that does not know a newer hub's type of question sees the session all the same, and the others with it",
      ],
    },
  ],
  explained: [
    {
      because: "purpose",
      says: ["Most of askbox learns of a new type from one file."],
    },
    {
      because: "advice",
      says: [
        "What follows is the way `rating` was added; its commit is the example to look at, and [CONTRIBUTING](../CONTRIBUTING.md) says how to install and to run checks.",
        "Do the steps in this order; after each, the check in the last column says whether something is missing.",
        "**The file of step 1** is an object with these parts; copy the neighbour that is most like yours.",
        "`input` | what agents send; lenient where models differ | `max` as number or text, optional",
        "`schema` | what is stored: strict, defaults filled in | `max` from 2 to 10",
        "`parse` | makes the second from the first; throws `QuestionRefusal` with a clause such as `has a max that is …` | ",
        "`tidy` | the one written form of an answer, where people write several | spaces go",
        "`check` | what is wrong with an answer, with a code; new ones go into `AnswerProblemCode` | `not_a_rating`",
        "`text` | the answer as a person reads it | `4`",
        "`expects` | what is to be given, in a few words | `a rating from 1 (poor) to 5 (great)`",
        "`typed: true` or `offers` | whether one value is typed, or what is picked from | its steps, the ends with their names",
        "`typed-answers.test.ts` checks that for the others; check it for yours.",
      ],
    },
    {
      because: "advice",
      why: "A step for contributors; the tests that it names are the ones that fail without it.",
      says: [
        "1 | say what the type is | `packages/core/src/session/questions/rating.ts` | step 2",
        "2 | name it in `types`; export its question's TypeScript type | `questions/index.ts`, `packages/core/src/index.ts` | `rating.test.ts`; the import of step 5",
        "3 | say what agents may send, what is refused, what is kept | `packages/core/test/questions/rating.test.ts` | nothing: these are the proof",
        "4 | put a question of it, with all fields, into a stored record, and an answer | `packages/core/test/fixtures/record-1-types.json` | `every-type.test.ts`",
        "5 | draw its widget | `apps/web/src/widgets/rating-widget.tsx`, its case in `question-widget.tsx` | `tsc -p apps/web`",
        "6 | say what is expected, and each new problem code, in every language | `apps/web/src/widgets/expected.ts`, `apps/web/src/i18n/` | `tsc -p apps/web` (codes and languages)",
        "7 | answer it by click, by key and by digit, and look at it in both sizes and colours | `tests/web/typed-answers.test.ts` | step 5 alone is not seen by any test",
        "8 | answer it in the terminal | `tests/terminal/typed-answers.test.ts`; code only for more than a text field or a list | –",
        "9 | say what stands for an answer in copyable lines | `apps/askbox/src/text/answer-lines.ts` | `tsc`",
        "10 | a flag for each field that has none | `commands/ask.ts` and `ask-from-flags.ts` in `apps/askbox/src` | `apps/askbox/test/question-types.test.ts`",
        "11 | put it as a field of a client's form | `packages/mcp/src/forms/form-of-questions.ts` | `tsc`",
        "12 | read that field back as a question, where it has a schema of its own | `questions-of-form.ts` beside it | `mapping.test.ts`, once you gave it a row",
        "13 | let the form's properties make it | `packages/mcp/test/forms/generate.ts` | `mapping.test.ts`",
        "14 | a row in the tables above, and a changeset (`pnpm changeset`) | this page | `apps/askbox/test/question-types.test.ts`",
      ],
    },
  ],
};
