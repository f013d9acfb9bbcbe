import type { OfferedOption } from "./question-type.ts";

/** For what a person may allow an action beyond this once. */
export const grantScopes = ["session", "project"] as const;
/** How far a grant reaches: this session, or every session of the project. */
export type GrantScope = (typeof grantScopes)[number];

/** Milliseconds. */
export const grantDurations = Object.freeze({ min: 60_000, max: 30 * 86_400_000, default: 8 * 3_600_000 });

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const labels: Readonly<Record<GrantScope, string>> = {
  session: "Allow for the rest of this conversation",
  project: "Allow in this project",
};

/** `30m`, `8h` and `7d` in ms; undefined if it is none of these, or not from a minute to 30 days. */
export function grantDuration(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const duration = Number(count) * (units[unit] ?? Number.NaN);
  return duration >= grantDurations.min && duration <= grantDurations.max ? duration : undefined;
}

/** What a grant's value says: `project`, or `project:7d` for another time than the 8 hours that it otherwise lasts. */
export function readGrantValue(value: string): { scope: GrantScope; duration: number } | undefined {
  const [name, time, ...more] = value.split(":");
  const scope = grantScopes.find((each) => each === name);
  const duration = time === undefined ? grantDurations.default : grantDuration(time);
  return scope === undefined || duration === undefined || more.length > 0 ? undefined : { scope, duration };
}

/** The words are ours: whoever asks must not name what a person agrees to. */
export const grantOption = (scope: GrantScope): OfferedOption => ({
  value: scope,
  label: labels[scope],
  description: "This exact action, without asking, for 8 hours",
});
