import type { SessionKind } from "../list/triage.ts";

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
  several: "Several questions",
} as const satisfies Record<SessionKind, string>;
