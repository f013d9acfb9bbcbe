import { cut } from "@askbox/core/transport";
/** Parses a frame; undefined if it is not a JSON object. */
export function readJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A sentence about zod's first issue. */
export function firstIssue(error: { issues: readonly { path: PropertyKey[]; message: string }[] }): string {
  const issue = error.issues[0];
  // A key of a record may be as long as the message.
  const path = issue === undefined ? "" : cut(issue.path.map(String).join("."), 200, "");
  return `${path === "" ? "it" : path} is not valid (${issue?.message ?? "unreadable"})`;
}
