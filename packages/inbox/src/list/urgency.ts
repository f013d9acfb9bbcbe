import type { SessionView } from "@askbox/core";

/** How near the end of a question's time is. */
export type Urgency = "soon" | "now";

/** From this much time left on (ms), whatever the question had in all. */
export const urgentFrom = { soon: 120_000, now: 30_000 } as const satisfies Record<Urgency, number>;

/** How near the end of a question's time is, where that is worth to be loud; undefined before, and without a deadline. */
export function urgencyOf({ deadlineAt }: Pick<SessionView, "deadlineAt">, now: number): Urgency | undefined {
  const left = deadlineAt === null ? Number.POSITIVE_INFINITY : deadlineAt - now;
  return left <= urgentFrom.now ? "now" : left <= urgentFrom.soon ? "soon" : undefined;
}
