import type { Action, Question } from "../session/questions/index.ts";

/** One question of each type with all of its fields, and for each field that is shown or bounds the answer, the same with another value. */
export interface AskedFields {
  question: Question;
  /** A valid answer. */
  values: string[];
  /** By the field's path, such as `options.0.label`. */
  changed: Readonly<Record<string, unknown>>;
  /** The same for fields that an ask cannot choose. */
  fixed?: Readonly<Record<string, unknown>>;
}

const base = { id: "q_abc123", question: "Which?", required: true, header: "Where" };
const sharedChanged = { id: "own", question: "Which one?", header: "When" };
const baseChanged = { ...sharedChanged, required: false };
const choice = {
  options: [
    { label: "A", value: "a", description: "First", recommended: true, preview: "- a + b" },
    { label: "B", value: "b" },
  ],
};
const choiceChanged = {
  "options.0.label": "AA",
  "options.0.value": "aa",
  "options.0.description": "Last",
  "options.0.recommended": false,
  "options.0.preview": "DROP TABLE users",
};
const action: Action = {
  kind: "command",
  tool: "Bash",
  title: "Tests",
  command: "npm test",
  cwd: "/home/ada",
  path: "a.txt",
  diff: "+a",
  text: "A plan",
  input: { large: 1 },
};

/** What every asker must be asked about again if it differs. A type or field that is missing here fails a test. */
export const askedFields: readonly AskedFields[] = [
  {
    question: { ...base, type: "text", placeholder: "Name", minLength: 1, maxLength: 90, suggestion: "a@example.com" },
    values: ["b@example.com"],
    changed: { ...baseChanged, placeholder: "Mail", format: "email", minLength: 2, maxLength: 80, suggestion: "c@example.com" },
  },
  {
    question: { ...base, ...choice, type: "select", placeholder: "Another", allowOther: true },
    values: ["a"],
    changed: { ...baseChanged, ...choiceChanged, placeholder: "Others", allowOther: false },
  },
  {
    question: { ...base, ...choice, type: "multi-select", placeholder: "Another", allowOther: true, minChoices: 1, maxChoices: 2 },
    values: ["a"],
    changed: { ...baseChanged, ...choiceChanged, placeholder: "Others", allowOther: false, minChoices: 2, maxChoices: 1 },
  },
  { question: { ...base, ...choice, type: "ranking" }, values: ["b", "a"], changed: { ...baseChanged, ...choiceChanged } },
  { question: { ...base, type: "confirm", suggestion: "yes" }, values: ["yes"], changed: { ...baseChanged, suggestion: "no" } },
  {
    question: { ...base, type: "number", placeholder: "3", min: 1, max: 3, integer: true, unit: "GB", suggestion: "2" },
    values: ["2"],
    changed: { ...baseChanged, placeholder: "4", min: 0, max: 30, integer: false, unit: "TB", suggestion: "3" },
  },
  {
    question: { ...base, type: "date", min: "2026-01-01", max: "2026-12-31", suggestion: "2026-05-01" },
    values: ["2026-06-01"],
    changed: { ...baseChanged, min: "2025-01-01", max: "2027-12-31", suggestion: "2026-06-01" },
  },
  {
    question: { ...base, type: "rating", max: 5, minLabel: "Bad", maxLabel: "Good", suggestion: "4" },
    values: ["3"],
    changed: { ...baseChanged, max: 6, minLabel: "Low", maxLabel: "High", suggestion: "5" },
  },
  {
    question: {
      ...base,
      type: "approval",
      action,
      editable: true,
      grants: [{ value: "session", label: "Allow for the rest of this conversation", description: "For 8 hours" }],
      agentOptions: [{ value: "agent:always", label: "Always" }],
    },
    values: ["allow"],
    changed: {
      ...sharedChanged,
      "action.kind": "other",
      "action.tool": "Shell",
      "action.title": "Lint",
      "action.command": "npm run lint",
      "action.cwd": "/",
      "action.path": "b.txt",
      "action.diff": "-a",
      "action.text": "No plan",
      "action.input": { large: 2 },
      "action.inputJson": '{"large":9007199254740993}',
      editable: false,
      "grants.0.value": "project",
      "agentOptions.0.value": "agent:ever",
      "agentOptions.0.label": "For ever",
    },
    fixed: { required: false, "grants.0.label": "Allow", "grants.0.description": "For a day" },
  },
  {
    question: {
      ...base,
      type: "approval",
      action: { kind: "command", command: "npm test" },
      denial: { reviewer: "auto mode", status: "denied", reason: "Runs code.", risk: "high", authorization: "low" },
    },
    values: ["allow"],
    changed: {
      ...sharedChanged,
      "denial.reviewer": "another",
      "denial.status": "unavailable",
      "denial.reason": "Another reason.",
      "denial.risk": "low",
      "denial.authorization": "high",
    },
    fixed: { required: false },
  },
  {
    // Where answers can have no files, it can only be skipped.
    question: { ...base, type: "file", required: false, accept: ["image/*"], maxFiles: 2, maxBytes: 1_000 },
    values: [],
    changed: { ...sharedChanged, required: true, "accept.0": "text/plain", maxFiles: 3, maxBytes: 2_000 },
  },
  { question: { ...base, type: "review", document: "# Plan" }, values: ["approve"], changed: { ...baseChanged, document: "# A plan" } },
];

/** The question with another value in one field. */
export function withField(question: Question, path: string, value: unknown): Question {
  const changed = JSON.parse(JSON.stringify(question)) as Record<string, unknown>;
  const names = path.split(".");
  const last = names.pop() ?? "";
  let part = changed;
  for (const name of names) part = part[name] as Record<string, unknown>;
  part[last] = value;
  return changed as unknown as Question;
}
