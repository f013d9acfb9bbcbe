import type * as z from "zod";
import { schemas } from "./questions/schemas.ts";

/** What is wrong, as a clause that follows the path. The schema must have been parsed with `reportInput`. */
export function issueClause(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "too_big":
      return `must be at most ${issue.maximum}${measure(issue.origin, issue.maximum)}`;
    case "too_small":
      return `must be at least ${issue.minimum}${measure(issue.origin, issue.minimum)}`;
    case "invalid_value":
      return `must be one of ${quoted(issue.values)}`;
    case "invalid_type":
      return `must be ${article(issue.expected)}${issue.input === undefined ? "; it is missing" : ""}`;
    case "invalid_union":
      return issue.discriminator === "type" ? `must be one of ${quoted(Object.keys(schemas))}` : issue.message;
    default:
      return `is not valid: ${issue.message}`;
  }
}

/** The unit of a limit. */
function measure(origin: string, limit: number | bigint): string {
  const unit = origin === "string" ? "character" : origin === "array" ? "item" : undefined;
  if (unit === undefined) return "";
  return ` ${unit}${Number(limit) === 1 ? "" : "s"} long`;
}

const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(", ");

function article(expected: string): string {
  if (expected === "int") return "a whole number";
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/** Where it is wrong, such as `questions[0].options`; empty for the whole input. */
export function issuePath({ path }: z.core.$ZodIssue): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}
