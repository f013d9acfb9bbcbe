import type { Outcome } from "./outcome.ts";
import { actionLine } from "./questions/action.ts";
import type { Denial } from "./questions/schemas.ts";
import type { AskRequest, SessionRecord } from "./record.ts";

/**
 * A model that reviews an agent's calls has denied one, and a person is told: a session with one approval that has a `denial`. Nobody waits for it.
 *
 * - Overruled, it allows exactly this action, once, for 15 minutes: the session itself is the allowance, and `usedAt` says that it is used up.
 * - Agreed with without a word, or not decided at all, there is nothing to tell the agent, which knows of the denial: it counts as delivered.
 */

/** How long an overruled action may be run, in ms. */
export const overruleLasts = 900_000;

/** What the key of a denial that a client reports begins with: by it, stores count denials apart from what was asked. */
export const denialKey = "denial:";

/** The denial that a session is about; undefined for any other session. */
export function denialOf({ questions }: Pick<AskRequest, "questions">): Denial | undefined {
  const [only, ...more] = questions;
  return only !== undefined && more.length === 0 && "denial" in only ? only.denial : undefined;
}

/** When a person overruled the denial, in wall time; undefined if nobody did. */
export function overruledAt({ request, context: { outcome } }: Pick<SessionRecord, "request" | "context">): number | undefined {
  if (denialOf(request) === undefined || outcome?.kind !== "answered") return undefined;
  return outcome.answers.some(({ values }) => values[0] === "allow") ? outcome.at : undefined;
}

/** Whether the agent need not be told how it ended. */
export function isUntold(request: AskRequest, outcome: Outcome): boolean {
  if (denialOf(request) === undefined) return false;
  if (outcome.kind === "cancelled") return outcome.reason === undefined;
  if (outcome.kind === "timedOut") return true;
  return (
    outcome.comment === undefined && outcome.answers.every(({ values, customText, note }) => values[0] === "deny" && !customText && !note)
  );
}

/** What an agent does about a denial's outcome, in one sentence or two; undefined for any other session. */
export function afterDenial({ request, context: { outcome } }: Pick<SessionRecord, "request" | "context">): string | undefined {
  if (denialOf(request) === undefined || outcome === undefined) return undefined;
  if (outcome.kind !== "answered") return "The denial stands: leave that call.";
  if (overruledAt({ request, context: { deadlineAt: null, outcome } }) === undefined)
    return "A person agrees with the denial: leave that call.";
  const call = actionLine(request.questions) ?? "it";
  return `A person overruled the denial: make exactly this call again now, with the same arguments in the same folder; it is let through once, within 15 minutes. The call: ${call}`;
}
