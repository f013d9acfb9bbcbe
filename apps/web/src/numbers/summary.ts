import type { SessionView } from "@askbox/core";
import { type OutcomeKind, outcomeKindOf, outcomeKinds } from "../history/outcome-kind.ts";

/** The part of a session that is counted. Times are wall time in ms since the epoch. */
export interface SettledFact {
  createdAt: number;
  kind: OutcomeKind;
  /** From the question to the answer, in ms; only for answered sessions. */
  answeredAfter?: number;
  client: string;
  project?: string;
}

export type Counts = Record<OutcomeKind, number>;

export interface DayCount {
  /** When the day begins, local time. */
  day: number;
  counts: Counts;
}

export interface Share {
  /** A client's name or a project's path; undefined for sessions without a project. */
  name: string | undefined;
  counts: Counts;
  total: number;
  /** Only answered ones, in ms. */
  median: number | undefined;
}

export interface Bin {
  /** In ms; the last bin is open-ended. */
  from: number;
  until: number;
  count: number;
}

export interface Summary {
  total: number;
  counts: Counts;
  days: DayCount[];
  /** Time to answer, in ms; undefined if nothing was answered. */
  median: number | undefined;
  p90: number | undefined;
  bins: Bin[];
  clients: Share[];
  projects: Share[];
}

/** The bin edges for the time to answer, in s. */
const edges = [0, 10, 30, 60, 120, 300, 600, 1_800, Number.POSITIVE_INFINITY];

export function factOf(session: SessionView): SettledFact | undefined {
  const kind = outcomeKindOf(session);
  const { outcome, createdAt, asker } = session;
  if (kind === undefined || outcome === undefined) return undefined;
  return {
    createdAt,
    kind,
    ...(kind === "answered" && { answeredAfter: Math.max(0, outcome.at - createdAt) }),
    client: asker.client.name,
    project: asker.project,
  };
}

/** Summarises the sessions of the last `days` days, including today. */
export function summarize(facts: readonly SettledFact[], { days, now }: { days: number; now: number }): Summary {
  const starts = dayStarts(days, now);
  const since = starts[0] ?? now;
  const counted = facts.filter(({ createdAt }) => createdAt >= since);
  const byDay = new Map(starts.map((day) => [day, noCounts()]));
  for (const { createdAt, kind } of counted) {
    const counts = byDay.get(new Date(createdAt).setHours(0, 0, 0, 0));
    if (counts !== undefined) counts[kind] += 1;
  }
  const times = answerTimes(counted);
  return {
    total: counted.length,
    counts: countsOf(counted),
    days: [...byDay].map(([day, counts]) => ({ day, counts })),
    median: quantile(times, 0.5),
    p90: quantile(times, 0.9),
    bins: binsOf(times),
    clients: sharesOf(counted, ({ client }) => client),
    projects: sharesOf(counted, ({ project }) => project),
  };
}

/** The local midnights of the last `days` days, the earliest first. */
export function dayStarts(days: number, now: number): number[] {
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(now);
    // Uses the calendar, since a day has 23 or 25 hours twice a year.
    day.setDate(day.getDate() - (days - 1 - index));
    return day.setHours(0, 0, 0, 0);
  });
}

/** The `p` quantile (0–1) of sorted values, by nearest rank. */
export function quantile(sorted: readonly number[], p: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
}

function answerTimes(facts: readonly SettledFact[]): number[] {
  return facts.flatMap(({ answeredAfter }) => (answeredAfter === undefined ? [] : [answeredAfter])).sort((a, b) => a - b);
}

function binsOf(times: readonly number[]): Bin[] {
  return edges.slice(0, -1).map((edge, index) => {
    const [from, until] = [edge * 1_000, (edges[index + 1] ?? Number.POSITIVE_INFINITY) * 1_000];
    return { from, until, count: times.filter((time) => time >= from && time < until).length };
  });
}

function sharesOf(facts: readonly SettledFact[], nameOf: (fact: SettledFact) => string | undefined): Share[] {
  const groups = new Map<string | undefined, SettledFact[]>();
  for (const fact of facts) {
    const name = nameOf(fact);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [fact]);
    else group.push(fact);
  }
  return [...groups]
    .map(([name, group]) => ({ name, counts: countsOf(group), total: group.length, median: quantile(answerTimes(group), 0.5) }))
    .sort((a, b) => b.total - a.total || (a.name ?? "").localeCompare(b.name ?? ""));
}

function countsOf(facts: readonly SettledFact[]): Counts {
  const counts = noCounts();
  for (const { kind } of facts) counts[kind] += 1;
  return counts;
}

const noCounts = (): Counts => ({ answered: 0, cancelled: 0, withdrawn: 0, timedOut: 0 });

export const sumOf = (counts: Counts): number => outcomeKinds.reduce((sum, kind) => sum + counts[kind], 0);
