import type { Draft } from "../session/draft.ts";
import { traitsOf } from "../session/questions/index.ts";
import type { SessionRecord } from "../session/record.ts";
import { applyEvent, changeSession } from "./change.ts";
import type { BrokerContext } from "./context.ts";
import { partsOf } from "./identity.ts";

/**
 * Settles the session that this one replaces, after copying drafts of equal questions and new messages. Every step can be repeated, so a
 * hub that was killed halfway finishes it after its restart. Resolves with the valid session: this one, or the other if it was settled
 * first, in which case this one is withdrawn.
 */
export async function takePlace(context: BrokerContext, fresh: SessionRecord): Promise<SessionRecord> {
  const { store, drafts } = context;
  const replaced = fresh.replaces === undefined ? undefined : await store.get(fresh.replaces);
  if (replaced === undefined) return fresh;
  await carryDraft(context, replaced, fresh);
  const closed = await changeSession(context, replaced, async (record) => {
    await drafts.sendFirst(record.id);
    const withdrawn = withdraw(context, record, "Replaced by other questions.");
    return withdrawn && { ...withdrawn, replacedBy: fresh.id };
  });
  if (closed.replacedBy !== fresh.id) {
    await changeSession(context, fresh, (record) => withdraw(context, record, "The questions it was to replace are already settled."));
    return closed;
  }
  return changeSession(context, fresh, (record) => {
    const known = new Set(record.thread.map(({ id }) => id));
    const missed = closed.thread.filter(({ id }) => !known.has(id));
    return missed.length === 0 ? undefined : { ...record, thread: [...record.thread, ...missed].sort((one, other) => one.at - other.at) };
  });
}

/** Undefined if it is already settled. */
function withdraw({ clock }: BrokerContext, record: SessionRecord, reason: string): SessionRecord | undefined {
  const at = clock.now();
  const by = { surface: "asker" as const, name: record.asker.client.name };
  const withdrawn = applyEvent(record, { type: "CANCEL", reason, by, at });
  return withdrawn && { ...withdrawn, delivery: { deliveredAt: at } };
}

async function carryDraft({ drafts }: BrokerContext, from: SessionRecord, to: SessionRecord): Promise<void> {
  const draft = from.state === "pending" ? await drafts.get(from.id) : undefined;
  if (draft === undefined) return;
  const { comment, updatedAt, by } = draft;
  const fields: Draft["fields"] = {};
  const open = new Map(from.request.questions.map((question) => [JSON.stringify(partsOf(question)), question.id]));
  for (const question of to.request.questions) {
    const field = draft.fields[open.get(JSON.stringify(partsOf(question))) ?? ""];
    // A decision is only valid for the ask that it was made for.
    if (field !== undefined && traitsOf(question).picks !== "decision") fields[question.id] = field;
  }
  await drafts.begin({ sessionId: to.id, revision: 1, fields, ...(comment === undefined ? {} : { comment }), updatedAt, by });
}
