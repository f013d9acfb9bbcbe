import type { AskInput } from "@askbox/core";
import type { QuestionTypeName } from "@askbox/core/questions";

export type AskedQuestion = AskInput["questions"][number];

/** A question with a sample answer. */
export interface Sample {
  question: AskedQuestion;
  /** The selected values, or the text of a typed answer. */
  values: readonly string[];
}

const stores = [
  {
    label: "SQLite",
    description: "One file, as `askbox` has it today. See [the docs](https://sqlite.org/wal.html).",
    recommended: true,
    preview: "```sql\nCREATE TABLE sessions (\n  id TEXT PRIMARY KEY,\n  body TEXT NOT NULL\n);\n```",
  },
  {
    label: "Redis",
    description: "For several hubs",
    preview: "| Key | Holds |\n|:--|--:|\n| `session:ID` | one session |\n| `pending` | 12 ids |",
  },
  "Nothing",
];

/** At least one sample of each type of question; without one for a new type, this does not compile. */
export const samples: Readonly<Record<QuestionTypeName, readonly Sample[]>> = {
  text: [
    {
      question: {
        type: "text",
        question: "What should the new package be called?",
        placeholder: "a short noun",
        suggestion: "lathe",
      },
      values: ["lathe"],
    },
    {
      question: { type: "text", question: "Who is told when it goes wrong?", format: "email", required: false },
      values: ["ada@example.com"],
    },
  ],
  select: [
    {
      question: { type: "select", header: "Storage", question: "Which store should hold the sessions?", options: stores },
      values: ["SQLite"],
    },
    {
      question: { type: "select", question: "Which tag?", options: ["latest", "next"], allowOther: false, required: false },
      values: ["next"],
    },
  ],
  "multi-select": [
    {
      question: {
        type: "multi-select",
        header: "Platforms",
        question: "Which platforms must it run on?",
        options: ["Linux", { label: "macOS", recommended: true, description: "Where the team works" }, "Windows"],
        minChoices: 1,
        maxChoices: 3,
      },
      values: ["Linux", "macOS"],
    },
  ],
  confirm: [
    {
      question: { type: "confirm", question: "All 1,204 tests pass. Publish **4.2.0** to the registry?", suggestion: "yes" },
      values: ["yes"],
    },
  ],
  number: [
    {
      question: {
        type: "number",
        question: "How many visitors see it first?",
        min: 1,
        max: 100,
        integer: true,
        unit: "%",
        suggestion: 10,
      },
      values: ["10"],
    },
  ],
  date: [
    {
      question: { type: "date", question: "From which day on?", min: "2026-11-19", max: "2026-12-18", suggestion: "2026-11-24" },
      values: ["2026-11-24"],
    },
  ],
  rating: [
    {
      question: {
        type: "rating",
        question: "How risky is it for the shop?",
        max: 10,
        minLabel: "safe",
        maxLabel: "reckless",
        suggestion: 2,
      },
      values: ["2"],
    },
  ],
  review: [
    {
      question: {
        type: "review",
        question: "Is this right?",
        document: "--- a/src/retry.ts\n+++ b/src/retry.ts\n@@ -1,3 +1,3 @@\n export const retry = {\n-  times: 3,\n+  times: 5,\n };\n",
      },
      values: ["request_changes"],
    },
  ],
  approval: [
    {
      question: {
        type: "approval",
        question: "May I run this command?",
        action: { kind: "command", tool: "Bash", command: "pnpm build && pnpm publish --access public", cwd: "/home/ada/storefront" },
        grants: ["session", "project"],
      },
      values: ["allow"],
    },
    {
      question: {
        type: "approval",
        question: "May I change this file?",
        action: {
          kind: "edit",
          tool: "Edit",
          path: "src/total.ts",
          diff: "--- a/src/total.ts\n+++ b/src/total.ts\n@@ -1 +1 @@\n-let a = 1;\n+const a = 1;",
        },
      },
      values: ["deny"],
    },
  ],
  file: [
    {
      question: { type: "file", question: "What does the error look like?", accept: ["image/*"], maxFiles: 3, maxBytes: 5_000_000 },
      values: ["error.png"],
    },
    { question: { type: "file", question: "Which log shows it?", maxFiles: 1, required: false }, values: ["app.log"] },
  ],
  ranking: [
    {
      question: { type: "ranking", question: "In which order should these be fixed?", options: ["The crash", "The slow list", "The typo"] },
      values: ["The slow list"],
    },
    { question: { type: "ranking", question: "Which store would you rather run?", options: stores, required: false }, values: ["Redis"] },
  ],
};
