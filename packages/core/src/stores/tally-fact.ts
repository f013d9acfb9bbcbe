import type { EndingKind } from "../ports/store.ts";
import type { SessionRecord } from "../session/record.ts";

/** What counts of a settled session. Times are wall time in ms since the epoch. */
export interface TallyFact {
  createdAt: number;
  closedAt: number;
  ending: EndingKind;
  client: string;
  project?: string | undefined;
}

/** What counts of a session as it is stored; undefined while it is pending. */
export function tallyFact({ state, context, createdAt, closedAt, asker }: Countable): TallyFact | undefined {
  if (state === "pending" || closedAt === null) return undefined;
  const ending = state === "cancelled" && context.outcome?.by.surface === "asker" ? "withdrawn" : state;
  return { createdAt, closedAt, ending, client: asker.client.name, project: asker.project };
}
type Countable = Pick<SessionRecord, "state" | "context" | "createdAt" | "closedAt" | "asker">;
