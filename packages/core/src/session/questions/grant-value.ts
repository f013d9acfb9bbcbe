import type { OfferedOption } from "./question-type.ts";

/** What a person may allow an action for, beyond this time. */
export const grantScopes = ["session", "project"] as const;
/** The scope of a grant: this session, or every session of the project. */
export type GrantScope = (typeof grantScopes)[number];

/** Milliseconds. */
export const grantDurations = Object.freeze({ min: 60_000, max: 30 * 86_400_000, default: 8 * 3_600_000 });

// keys: the letters of a regular expression.
const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const labels: Readonly<Record<GrantScope, string>> = {
  session: "Allow for the rest of this conversation",
  project: "Allow in this project",
};

/** `30m`, `8h` and `7d` in ms; undefined for anything else, or if not from a minute to 30 days. */
export function grantDuration(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const duration = Number(count) * (units[unit] ?? Number.NaN);
  return duration >= grantDurations.min && duration <= grantDurations.max ? duration : undefined;
}

/**
 * Parses a grant's value: `project`, `project:7d` for another duration than the default of 8 hours, or `project:7d:git push` for any
 * command that begins with these words.
 */
export function readGrantValue(value: string): { scope: GrantScope; duration: number; prefix?: string } | undefined {
  const [name, time, ...words] = value.split(":");
  const scope = grantScopes.find((each) => each === name);
  const duration = time === undefined ? grantDurations.default : grantDuration(time);
  if (scope === undefined || duration === undefined) return undefined;
  return { scope, duration, ...(words.length > 0 && { prefix: words.join(":") }) };
}

/** The labels are fixed: the asker must not choose the words that a person agrees to. */
export const grantOption = (scope: GrantScope): OfferedOption => ({
  value: scope,
  label: labels[scope],
  description: "This exact action, without asking, for 8 hours",
});
