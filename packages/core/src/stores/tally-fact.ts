import type { DenialKind, EndingKind } from "../ports/store.ts";
import { denialKey, overruledAt } from "../session/denial.ts";
import type { SessionRecord } from "../session/record.ts";

/** What counts of a settled session. Times are wall time in ms since the epoch. */
export interface TallyFact {
  createdAt: number;
  closedAt: number;
  ending: EndingKind | DenialKind;
  client: string;
  project?: string | undefined;
}

/** What counts of a session as it is stored; undefined while it is pending. */
export function tallyFact({ state, context, createdAt, closedAt, asker, key, request }: Countable): TallyFact | undefined {
  if (state === "pending" || closedAt === null) return undefined;
  const counted = { createdAt, closedAt, client: asker.client.name, project: asker.project };
  // By the key, which stores have without the questions.
  if (key?.startsWith(denialKey)) {
    const isOverruled = overruledAt({ request, context }) !== undefined;
    return { ...counted, ending: state !== "answered" ? "stands" : isOverruled ? "overruled" : "agreed" };
  }
  const ending = state === "cancelled" && context.outcome?.by.surface === "asker" ? "withdrawn" : state;
  return { ...counted, ending };
}
type Countable = Pick<SessionRecord, "state" | "context" | "createdAt" | "closedAt" | "asker" | "key" | "request">;
