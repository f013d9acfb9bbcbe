import { canonicalJson } from "../exact-json.ts";
import type { Desk } from "../ports/desk.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import { exactAction } from "../session/questions/action.ts";
import { type GrantScope, grantDurations } from "../session/questions/grant-value.ts";
import type { Action } from "../session/questions/schemas.ts";
import type { SessionView } from "../session/view.ts";
import { matchingGrant } from "./matching.ts";

/** Approvals that are compared, and sessions that are read for them, at a time and in total: each may have 256 KB. */
const max = { approvals: 50, batch: 50, sessions: 300 };

/** An action that an agent once asked for, and that agent. */
export interface PastApproval {
  asker: AskerInfo;
  action: Action;
}

/** The last 50 actions that agents of this client asked for in this project on this machine, newest first, from its newest 300 settled sessions. */
export async function lastApprovals(desk: Pick<Desk, "list">, { client, project, machine }: AskerInfo): Promise<PastApproval[]> {
  const found: PastApproval[] = [];
  let cursor: string | undefined;
  for (let read = 0; read < max.sessions && found.length < max.approvals; ) {
    const page = await desk.list({
      statuses: ["answered", "cancelled", "timed_out"],
      clientName: client.name,
      project,
      machine,
      limit: max.batch,
      cursor,
    });
    // A query without a machine finds those of all.
    found.push(...page.items.filter(({ asker }) => asker.machine === machine).flatMap(approvalsIn));
    cursor = page.nextCursor;
    if (cursor === undefined) break;
    read += Math.max(1, page.items.length);
  }
  return found.slice(0, max.approvals);
}

const approvalsIn = ({ asker, questions }: SessionView): PastApproval[] =>
  questions.flatMap((question) => ("action" in question ? [{ asker, action: question.action }] : []));

/** What a person is about to allow: the scope, and the first words of commands; without them, exactly the action. */
export interface GrantDraft {
  scope: GrantScope;
  prefix?: string | undefined;
}

/**
 * The past actions that would have been allowed by a grant for this one. A prefix matches what it would match now; only links in paths are
 * not resolved.
 */
export function wouldHaveAllowed(past: readonly PastApproval[], { asker, action }: PastApproval, { scope, prefix }: GrantDraft): Action[] {
  const { client, project, machine, conversation } = asker;
  if (project === undefined) return [];
  const { kind, tool } = action;
  const grant = {
    id: "draft",
    scope,
    client: client.name,
    project,
    // Here, machines have nothing but their names.
    ...(machine !== undefined && { machine, owner: machine }),
    conversation,
    kind,
    shown: "",
    ...(prefix === undefined
      ? { tool, match: { type: "exact" as const, digest: whole(action) } }
      : { match: { type: "prefix" as const, prefix } }),
    by: { surface: "web" as const },
    createdAt: 0,
    expiresAt: grantDurations.max,
  };
  const isAllowed = (each: PastApproval) =>
    matchingGrant([grant], { ...each, owner: each.asker.machine, digest: whole(each.action) }, 0) !== undefined;
  return past.filter(isAllowed).map((each) => each.action);
}

/** Stands for the digest, which takes its time and is equal for the same actions. */
const whole = (action: Action): string => canonicalJson(exactAction(action));
