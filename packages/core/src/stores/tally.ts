import {
  type DenialKind,
  denialKinds,
  type EndingCounts,
  endingKinds,
  type SessionStore,
  type Tally,
  type TallyBin,
  type TallyShare,
} from "../ports/store.ts";
import { type TallyFact, tallyFact } from "./tally-fact.ts";

const maxShares = 200;
/** Where the bins of times to answer begin, in ms. */
const edges = [0, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000];

interface Group {
  counts: EndingCounts;
  times: number[];
}

/** Counts settled sessions, one after the other, for `SessionStore.tally`. */
export function tallier(days: readonly number[]): { add(fact: TallyFact): void; result(): Tally } {
  const all = newGroup();
  const denials: Record<DenialKind, number> = { overruled: 0, agreed: 0, stands: 0 };
  const byDay = days.map(() => noCounts());
  const clients = new Map<string | undefined, Group>();
  const projects = new Map<string | undefined, Group>();
  const since = days[0] ?? Number.POSITIVE_INFINITY;

  return {
    add({ createdAt, closedAt, ending, client, project }) {
      if (createdAt < since) return;
      if (isDenial(ending)) {
        denials[ending] += 1;
        return;
      }
      const day = byDay[lastBefore(days, createdAt)];
      if (day !== undefined) day[ending] += 1;
      for (const group of [all, groupOf(clients, client), groupOf(projects, project)]) {
        group.counts[ending] += 1;
        if (ending === "answered") group.times.push(Math.max(0, closedAt - createdAt));
      }
    },
    result() {
      const times = all.times.sort((a, b) => a - b);
      return {
        total: totalOf(all.counts),
        counts: all.counts,
        days: byDay.map((counts, index) => ({ day: days[index] ?? 0, counts })),
        median: quantile(times, 0.5),
        p90: quantile(times, 0.9),
        bins: binsOf(times),
        clients: sharesOf(clients),
        projects: sharesOf(projects),
        ...(denialKinds.some((kind) => denials[kind] > 0) && { denials }),
      };
    },
  };
}

const isDenial = (ending: TallyFact["ending"]): ending is DenialKind => denialKinds.some((kind) => kind === ending);

/** For a store without `tally`. */
export async function tallyByList(store: Pick<SessionStore, "list">, days: readonly number[]): Promise<Tally> {
  const counted = tallier(days);
  const since = days[0] ?? Number.POSITIVE_INFINITY;
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: 100, cursor });
    for (const record of page.sessions) {
      const fact = tallyFact(record);
      if (fact !== undefined) counted.add(fact);
    }
    const isOver = page.sessions.some(({ createdAt }) => createdAt < since);
    cursor = isOver ? undefined : page.next;
  } while (cursor !== undefined);
  return counted.result();
}

/** The index of the last of the ascending values that is not above `value`. */
function lastBefore(values: readonly number[], value: number): number {
  const next = values.findIndex((each) => each > value);
  return (next === -1 ? values.length : next) - 1;
}

function groupOf(groups: Map<string | undefined, Group>, name: string | undefined): Group {
  const group = groups.get(name) ?? newGroup();
  groups.set(name, group);
  return group;
}

function sharesOf(groups: ReadonlyMap<string | undefined, Group>): TallyShare[] {
  return [...groups]
    .map(([name, { counts, times }]) => ({
      name,
      counts,
      total: totalOf(counts),
      median: quantile(
        [...times].sort((a, b) => a - b),
        0.5,
      ),
    }))
    .sort((a, b) => b.total - a.total || (a.name ?? "").localeCompare(b.name ?? ""))
    .slice(0, maxShares);
}

function binsOf(times: readonly number[]): TallyBin[] {
  const bins: TallyBin[] = edges.map((from, index) => ({ from, until: edges[index + 1], count: 0 }));
  for (const time of times) {
    const bin = bins[lastBefore(edges, time)];
    if (bin !== undefined) bin.count += 1;
  }
  return bins;
}

/** The `p` quantile (0 to 1) of sorted values, by nearest rank. */
const quantile = (sorted: readonly number[], p: number): number | undefined => sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];

const newGroup = (): Group => ({ counts: noCounts(), times: [] });
const noCounts = (): EndingCounts => ({ answered: 0, cancelled: 0, withdrawn: 0, timedOut: 0 });
const totalOf = (counts: EndingCounts): number => endingKinds.reduce((sum, ending) => sum + counts[ending], 0);
