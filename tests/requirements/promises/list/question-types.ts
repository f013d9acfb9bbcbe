import type { PromisedPage } from "../promise.ts";

export const questionTypesPage: PromisedPage = {
  page: "docs/question-types.md",
  promises: [
    {
      id: "question-types.ask-user-publishes-contract",
      says: "`ask_user` publishes the contract's four types, `text`, `select`, `multi-select` and `confirm`, and takes all of these; so do `POST /api/sessions` (with every field in `/openapi.json`), `askbox ask` and the library.",
      tests: [
        "tests/requirements/list/answers.ts > numbers, dates, formats, limits and suggestions are taken, though the published schema has only the contract's",
        "packages/hub/test/rest.test.ts > REST > describes every type of question in /openapi.json, with its own fields",
        "apps/askbox/test/question-types.test.ts > a question of type %s > has a flag of askbox ask for every field of its own",
      ],
    },
    {
      id: "question-types.text-also-without-type",
      says: "`text` (also without a type) | `placeholder`, `format` (`email`, `url`, `date-time`), `minLength`, `maxLength`, `suggestion` | the text",
      tests: [
        "apps/askbox/test/question-types.test.ts > a question of type %s > has a row in docs/question-types.md with every field of its own",
        "packages/core/test/questions/text.test.ts > a text > of format %s takes %j, and leaves out what is around it",
        "packages/core/test/questions/text.test.ts > a text > keeps to its lengths, whoever counts: an emoji is two to some and one to others",
      ],
    },
    {
      id: "question-types.number-placeholder-min-max",
      says: "`number` | `placeholder`, `min`, `max`, `integer`, `unit`, `suggestion` | a decimal with a point: `3.5`, `-1200`",
      tests: [
        "apps/askbox/test/question-types.test.ts > a question of type %s > has a row in docs/question-types.md with every field of its own",
        "packages/core/test/questions/number.test.ts > a number > written %j is kept as %s",
        "packages/core/test/questions/number.test.ts > a number > that must be whole is",
      ],
    },
    {
      id: "question-types.date-min-max-suggestion",
      says: "`date` | `min`, `max`, `suggestion` | a day of the calendar: `2026-03-05`",
      tests: [
        "apps/askbox/test/question-types.test.ts > a question of type %s > has a row in docs/question-types.md with every field of its own",
        "packages/core/test/questions/date.test.ts > a date > of the calendar is kept as it is",
        "packages/core/test/questions/date.test.ts > a date > keeps to its limits",
      ],
    },
    {
      id: "question-types.select-options-allowother-placeholder",
      says: "`select` | `options`, `allowOther`, `placeholder` | the option's value, or none with `customText`",
      tests: [
        "apps/askbox/test/question-types.test.ts > a question of type %s > has a row in docs/question-types.md with every field of its own",
        "tests/requirements/list/input.ts > an option that is an object is answered with its value, or its label",
        "tests/requirements/list/answers.ts > Other alone is customText with empty values, and satisfies required",
      ],
    },
    {
      id: "question-types.multi-select-options-allowother-placeholder",
      says: "`multi-select` | `options`, `allowOther`, `placeholder`, `minChoices`, `maxChoices` | the options' values; Other is one choice more",
      tests: [
        "apps/askbox/test/question-types.test.ts > a question of type %s > has a row in docs/question-types.md with every field of its own",
        "packages/core/test/questions/choices.test.ts > a choice of several > keeps to how many are to be chosen, Other being one of them",
      ],
    },
    {
      id: "question-types.confirm-suggestion-yes-no",
      says: "`confirm` | `suggestion` (`yes` or `no`) | `yes` or `no`",
      tests: [
        "apps/askbox/test/question-types.test.ts > a question of type %s > has a row in docs/question-types.md with every field of its own",
        "packages/core/test/questions/choices.test.ts > yes or no > may be suggested, and is not answered by it",
      ],
    },
    {
      id: "question-types.rating-max-2-10",
      says: "`rating` | `max` (2 to 10, default 5), `minLabel`, `maxLabel`, `suggestion` | a step of the scale from `1` to `max`",
      tests: [
        "apps/askbox/test/question-types.test.ts > a question of type %s > has a row in docs/question-types.md with every field of its own",
        "packages/core/test/questions/rating.test.ts > a rating > is one of five steps unless its scale says how many",
        "packages/core/test/questions/rating.test.ts > a rating > tells what its ends mean",
      ],
    },
    {
      id: "question-types.all-question-id-header",
      says: "All have `question`, `id`, `header` and `required`.",
      tests: ["packages/hub/test/rest.test.ts > REST > describes every type of question in /openapi.json, with its own fields"],
    },
    {
      id: "question-types.field-belongs-another-type",
      says: "A field that belongs to another type is left out; limits that no answer could keep are refused with a sentence.",
      tests: [
        "packages/core/test/parse-ask.test.ts > reading an ask > leaves out what belongs to another type of question",
        "packages/core/test/questions/number.test.ts > a number > keeps to its limits, which are numbers or their text",
        "packages/core/test/parse-ask.test.ts > reading an ask > refuses %s with one sentence",
      ],
    },
    {
      id: "question-types.option-text-label-value",
      says: "**An option** is a text or `{label, value?, description?, recommended?, preview?}`; its value is `value`, or else its label.",
      tests: [
        "packages/core/test/parse-ask.test.ts > reading an ask > takes options as strings and as objects, the value being the label unless given",
        "tests/requirements/list/input.ts > an option that is an object is answered with its value, or its label",
      ],
    },
    {
      id: "question-types.two-options-one-value",
      says: "Two options of one value are refused, and so are two questions of one id; a question without an id is given one, `q_` and six letters or digits.",
      tests: [
        "packages/core/test/parse-ask.test.ts > reading an ask > refuses %s with one sentence",
        "tests/requirements/list/input.ts > type, required and timeout take the contract's defaults",
        "packages/core/test/parse-ask.test.ts > reading an ask > never gives two questions one id, not even when a generated one is taken",
      ],
    },
    {
      id: "question-types.other-choices-take-words",
      says: "**Other**: choices take words of the person's own unless `allowOther: false`.",
      tests: [
        "packages/core/src/testing/desk-contract/settling.ts > Other stands beside choices, and alone where one choice is due",
        "tests/requirements/list/answers.ts > Other alone is customText with empty values, and satisfies required",
      ],
    },
    {
      id: "question-types.they-customtext-beside-chosen",
      says: "They are `customText`, beside chosen values or alone, and then satisfy `required`; a `select` has one value or Other.",
      tests: [
        "tests/requirements/list/answers.ts > Other alone is customText with empty values, and satisfies required",
        "tests/requirements/list/answers.ts > Other beside chosen values keeps both",
        "packages/core/src/testing/desk-contract/settling.ts > Other stands beside choices, and alone where one choice is due",
      ],
    },
    {
      id: "question-types.confirm-no-other",
      says: "A `confirm` has no Other.",
      tests: [
        "packages/core/src/testing/desk-contract/settling.ts > an invalid answer is refused with a sentence for each question and leaves the session open",
      ],
    },
    {
      id: "question-types.every-question-one-answer",
      says: "**Every question has one answer**, in the questions' order: a skipped optional one has `values: []`.",
      tests: [
        "tests/requirements/list/answers.ts > a skipped optional question is answered with empty values, in the questions' order",
        "packages/core/src/testing/desk-contract/settling.ts > a skipped optional question is answered with no values",
      ],
    },
    {
      id: "question-types.required-text-blank",
      says: "A required text is not blank.",
      tests: [
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > refuses a blank text",
        "packages/core/src/testing/desk-contract/settling.ts > an invalid answer is refused with a sentence for each question and leaves the session open",
      ],
    },
    {
      id: "question-types.answer-may-carry-note",
      says: "An answer may carry a `note`, the whole a `comment`.",
      tests: [
        "tests/terminal/answering.test.ts > a note goes with its answer and a comment with the whole",
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > answers several questions by flags",
      ],
    },
    {
      id: "question-types.limits-1-10-questions",
      says: "**Limits**: 1 to 10 questions, of 1 to 1,000 characters each, a title of at most 100.",
      tests: [
        "tests/requirements/list/input.ts > ten questions of 1,000 characters, a title of 100 and the longest timeout are taken",
        "packages/core/test/parse-ask.test.ts > reading an ask > refuses %s with one sentence",
      ],
    },
    {
      id: "question-types.headers-labels-descriptions-none",
      says: "Headers, labels and descriptions have none, and are shortened where they are shown.",
      tests: [
        "packages/core/test/lenient-input.test.ts > an ask in the shape of > labels, headers and descriptions of any length are taken whole",
        "packages/core/test/parse-ask.test.ts > reading an ask > takes the longest texts the contract allows, and any length where it sets no limit",
      ],
    },
    {
      id: "question-types.number-read-one-way",
      says: "**A number is read in one way or refused.** Digits, a sign, a point.",
      tests: [
        "packages/core/test/questions/number.test.ts > a number > written %j is kept as %s",
        "packages/core/test/questions/number.test.ts > a number > is not guessed from %j",
      ],
    },
    {
      id: "question-types.1-5-1-000",
      says: "`1,5`, `1 000`, `1e3` and `1.000`, which is one here and a thousand elsewhere, are sent back with a sentence.",
      tests: [
        "packages/core/test/questions/number.test.ts > a number > is not guessed from %j",
        "packages/core/test/questions/number.test.ts > a number > %j, which is a thousandfold elsewhere, is refused",
      ],
    },
    {
      id: "question-types.3-50-kept-3",
      says: "`3.50` is kept as `3.5`.",
      tests: ["packages/core/test/questions/number.test.ts > a number > written %j is kept as %s"],
    },
    {
      id: "question-types.number-double-cannot-hold",
      says: "A number that a double cannot hold exactly is refused, not rounded, so that an agent may read the text as a JSON number.",
      tests: [
        "packages/core/test/questions/number.test.ts > a number > %s, which no JSON number holds, is refused and not rounded",
        "packages/core/test/questions/number.test.ts > a number > of any size that JSON holds is written out, taken, and the same again",
      ],
    },
    {
      id: "question-types.date-no-time-no",
      says: "**A date** has no time and no zone.",
      tests: [
        "packages/core/test/questions/date.test.ts > a date > of the calendar is kept as it is",
        "packages/core/test/questions/date.test.ts > a date > is not made of %j",
      ],
    },
    {
      id: "question-types.2026-02-30-refused-so-every",
      says: "`2026-02-30` is refused, and so is every other way to write a day.",
      tests: ["packages/core/test/questions/date.test.ts > a date > is not made of %j"],
    },
    {
      id: "question-types.date-time-rfc-3339-zone",
      says: "**`date-time`** is RFC 3339 with its zone, `2026-03-05T14:30:00+01:00`; **`url`** is absolute; **`email`** is one address.",
      tests: [
        "packages/core/test/questions/text.test.ts > a text > of format %s takes %j, and leaves out what is around it",
        "packages/core/test/questions/text.test.ts > a text > of format %s refuses %j",
      ],
    },
    {
      id: "question-types.stands-around-them-taken",
      says: "What stands around them is taken away; they stay texts.",
      tests: ["packages/core/test/questions/text.test.ts > a text > of format %s takes %j, and leaves out what is around it"],
    },
    {
      id: "question-types.lengths-hold-whoever-counts",
      says: "**Lengths** hold for whoever counts: an answer is short enough in UTF-16 units and long enough in code points.",
      tests: [
        "packages/core/test/questions/text.test.ts > a text > keeps to its lengths, whoever counts: an emoji is two to some and one to others",
      ],
    },
    {
      id: "question-types.suggestion-shown-never-filled",
      says: "**A suggestion is shown, never filled in.** The person takes it over by a key (`alt+r`, outside a text `r`) or a button.",
      tests: [
        "tests/terminal/typed-answers.test.ts > a suggestion is shown, taken over by one key and no other, and sent by Enter",
        "tests/web/typed-answers.test.ts > all is answered by clicks: suggestions by their buttons, the date in the calendar's input",
        "packages/mcp/test/forms/mapping.test.ts > questions as a client's form > fill nothing in: what an agent suggests is told in words",
        "tests/web/typed-answers.test.ts > nothing is filled in, limits are told, and what is wrong is said once a field was left",
      ],
    },
    {
      id: "question-types.one-question-itself-would",
      says: "One that the question itself would not take is refused.",
      tests: [
        "packages/core/test/questions/text.test.ts > a text > with %j is refused with a sentence",
        "packages/core/test/questions/number.test.ts > a number > with %j is refused with a sentence",
        "packages/core/test/questions/date.test.ts > a date > with %j is refused with a sentence",
      ],
    },
    {
      id: "question-types.options-recommended-same",
      says: "For options, `recommended` is the same.",
      tests: [
        "packages/react/test/answer-form.test.ts > what the agent recommends, and the earlier answer, are chosen only when the person says so",
        "tests/terminal/answering.test.ts > nothing is chosen before the person chooses, recommended or not",
      ],
    },
  ],
  explained: [
    {
      because: "purpose",
      says: ["What an agent, a script or a program may ask, and what it gets back."],
    },
  ],
};
