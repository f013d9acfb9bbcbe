import type { SessionKind, SessionSign } from "../list/triage.ts";

/** What a session asks for. */
export const kindNames = {
  lines: "Text",
  line: "Short answer",
  date: "Date",
  options: "Choice",
  "yes-no": "Yes or no",
  scale: "Rating",
  order: "Ranking",
  document: "Review",
  files: "Files",
  approval: "Approval",
  notice: "Unknown type",
  denial: "Denied by a model",
  several: "Several questions",
} as const satisfies Record<SessionKind, string>;

/** The same, finer. */
export const signNames = {
  ...kindNames,
  number: "Number",
  command: "Command",
  edit: "Edit",
  fetch: "Fetch",
  tool: "Tool",
  plan: "Plan",
} as const satisfies Record<SessionSign, string>;
