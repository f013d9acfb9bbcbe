import { isAskboxError } from "../errors.ts";
import { asksApproval } from "../session/record.ts";
import type { ScheduledAnswer } from "../session/view.ts";
import { applyEvent, changeSession } from "./change.ts";
import type { BrokerContext } from "./context.ts";

/** Times a session out whose deadline first passed `overdue` ms ago, unless an answer is held back, or somebody is typing one. */
export async function expire(context: BrokerContext, id: string, overdue: number): Promise<void> {
  const { clock, deadlines, drafts, log } = context;
  if (drafts.sendNow(id)) return;
  try {
    await changeSession(context, id, async (record) => {
      const { deadlineAt } = record.context;
      if (deadlineAt === null || deadlines.isPutOff(id, deadlineAt)) return undefined;
      // Read after the session, so that this write fails if another hub delays an answer from now on.
      await drafts.look(id);
      if (drafts.sendNow(id)) return undefined;
      const hold = drafts.hold(id, overdue);
      if (hold > 0) {
        deadlines.defer(id, hold);
        return undefined;
      }
      // The wall clock may have been set back; the deadline has passed all the same.
      return applyEvent(record, { type: "DEADLINE_PASSED", at: Math.max(clock.now(), deadlineAt) });
    });
  } catch (error) {
    log("warn", "A deadline could not be written; trying again", { sessionId: id, error: String(error) });
  }
}

/** Sends an answer, or a decline, that could be undone until now. */
export async function sendHeldBack(context: BrokerContext, id: string, { sendAt }: ScheduledAnswer): Promise<void> {
  const { clock, drafts } = context;
  try {
    const settled = await changeSession(context, id, async (record) => {
      // Another hub may have recalled it. Read after the session, so that this write fails if it is recalled from now on.
      const draft = record.state === "pending" ? await drafts.look(id) : undefined;
      if (draft?.scheduled?.sendAt !== sendAt) return undefined;
      const { scheduled, requests } = draft;
      const at = clock.now();
      if (scheduled.decline === undefined) return applyEvent(record, { ...scheduled, type: "ANSWER", at }, requests?.answer);
      return applyEvent(record, { type: "CANCEL", reason: scheduled.decline.reason, by: scheduled.by, at }, requests?.cancel);
    });
    if (asksApproval(settled.request)) await (await import("./loaded-late.ts")).keepGrants(context, settled);
  } catch (error) {
    // Its session is gone; there is nothing left to answer.
    if (!isAskboxError(error, "SESSION_NOT_FOUND")) throw error;
  }
}
