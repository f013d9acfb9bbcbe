/** How sessions end; withdrawn by the asker is separate from declined by a person. */
export const endingKinds = ["answered", "cancelled", "withdrawn", "timedOut"] as const;
/** How a session ended. */
export type EndingKind = (typeof endingKinds)[number];
/** Sessions by how they ended. */
export type EndingCounts = Record<EndingKind, number>;

/** Sessions of one client or project. */
export interface TallyShare {
  /** The client's name, or the project's path; undefined for sessions without a project. */
  name?: string | undefined;
  counts: EndingCounts;
  total: number;
  /** Of the times to answer, in ms; undefined if nothing was answered. */
  median?: number | undefined;
}

/** How many answers took from `from` up to, but not including, `until`. */
export interface TallyBin {
  /** In ms. */
  from: number;
  /** In ms; undefined in the last bin, which has no end. */
  until?: number | undefined;
  count: number;
}

/** The settled sessions of a period. Quantiles are by nearest rank. */
export interface Tally {
  total: number;
  counts: EndingCounts;
  /** In the order of the days that were asked for. */
  days: { day: number; counts: EndingCounts }[];
  /** Of the times to answer, in ms; undefined if nothing was answered. */
  median?: number | undefined;
  p90?: number | undefined;
  bins: TallyBin[];
  /** The busiest first, at most 200. */
  clients: TallyShare[];
  /** The busiest first, at most 200. */
  projects: TallyShare[];
}
