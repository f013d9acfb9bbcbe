import { isAskboxError } from "../errors.ts";
import { canonicalJson } from "../exact-json.ts";
import { own } from "../objects.ts";
import { wordsOf } from "../session/answer.ts";
import type { Draft, DraftField } from "../session/draft.ts";
import { type Option, type Question, takesOther, traitsOf } from "../session/questions/index.ts";
import type { SessionRecord } from "../session/record.ts";
import { attachedFiles } from "./attached.ts";
import { applyEvent, changeSession } from "./change.ts";
import type { BrokerContext } from "./context.ts";
import { textOf } from "./identity.ts";

/**
 * Settles the session that this one replaces, after copying drafts of equal questions and new messages. Every step can be repeated, so a
 * hub that was killed halfway finishes it after its restart. Resolves with the valid session: this one, or the other if it was settled
 * first, in which case this one is withdrawn.
 */
export async function settleReplaced(context: BrokerContext, fresh: SessionRecord): Promise<SessionRecord> {
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
  await copyFiles(context, fresh, closed.thread);
  return changeSession(context, fresh, (record) => {
    const known = new Set(record.thread.map(({ id }) => id));
    const missed = closed.thread.filter(({ id }) => !known.has(id));
    return missed.length === 0 ? undefined : { ...record, thread: [...record.thread, ...missed].sort((one, other) => one.at - other.at) };
  });
}

/** Copies the files of the session that this one replaces, before anything of this one names them: they are stored by session. */
export async function copyFiles(context: BrokerContext, fresh: SessionRecord, parts: readonly Pick<DraftField, "files">[]): Promise<void> {
  for (const file of parts.flatMap(({ files = [] }) => files)) {
    await attachedFiles(context, fresh, [file]).catch((error: unknown) => {
      // One that is gone, or for which there is no room, must not keep the agent from asking.
      if (!isAskboxError(error, "INVALID_ANSWER") && !isAskboxError(error, "PAYLOAD_TOO_LARGE")) throw error;
    });
  }
}

/** Undefined if it is already settled. */
function withdraw({ clock }: BrokerContext, record: SessionRecord, reason: string): SessionRecord | undefined {
  const at = clock.now();
  const by = { surface: "asker" as const, name: record.asker.client.name };
  const withdrawn = applyEvent(record, { type: "CANCEL", reason, by, at });
  return withdrawn && { ...withdrawn, delivery: { deliveredAt: at } };
}

async function carryDraft(context: BrokerContext, from: SessionRecord, to: SessionRecord): Promise<void> {
  const { drafts } = context;
  const draft = from.state === "pending" ? await drafts.get(from.id) : undefined;
  if (draft === undefined) return;
  const { updatedAt, by, reason } = draft;
  const fields: Draft["fields"] = {};
  const isSameTitle = from.request.title === to.request.title;
  const open = new Map(from.request.questions.map((question) => [JSON.stringify([question.type, question.question]), question]));
  for (const question of to.request.questions) {
    const replaced = open.get(JSON.stringify([question.type, question.question]));
    const field = replaced && carriedOver(own(draft.fields, replaced.id), replaced, question, isSameTitle);
    if (field !== undefined) fields[question.id] = field;
  }
  await copyFiles(context, to, [draft, ...Object.values(fields)]);
  await drafts.begin({ sessionId: to.id, revision: 1, fields, ...wordsOf(draft), ...(reason && { reason }), updatedAt, by });
}

/**
 * What remains of a draft: all of it for an equal question, else the person's own words, and choices of which everything shown is equal, the
 * titles above them included.
 */
function carriedOver(field: DraftField | undefined, from: Question, to: Question, isSameTitle: boolean): DraftField | undefined {
  const { picks, typed } = traitsOf(to);
  // A decision is only valid for the ask that it was made for.
  if (field === undefined || picks === "decision") return undefined;
  if (isSameTitle && textOf(from) === textOf(to)) return field;
  const { values = [], customText, note } = field;
  const known = new Set(isSameTitle && from.header === to.header ? optionsOf(from).map(canonicalJson) : []);
  const options = optionsOf(to);
  const equal = new Set(options.filter((option) => known.has(canonicalJson(option))).map(({ value }) => value));
  const isWhole = equal.size === known.size && equal.size === options.length;
  const kept = typed === "words" ? values : picks === "order" && !isWhole ? [] : values.filter((value) => equal.has(value));
  if (kept.length === 0 && customText === undefined && note === undefined) return undefined;
  return {
    ...(kept.length > 0 && { values: kept }),
    ...(customText !== undefined && takesOther(to) && { customText }),
    ...(note !== undefined && { note }),
  };
}

/** Options that show all there is to a choice; a yes or a rating is one about the whole question. */
const optionsOf = (question: Question): readonly Option[] => ("options" in question ? question.options : []);
