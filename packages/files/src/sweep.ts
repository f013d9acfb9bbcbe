import type { AnswerSet, Draft, DraftField, SessionRecord, SessionStore } from "@askbox/core";
import { allImages } from "@askbox/core/questions";
import type { Blobs } from "@askbox/core/stores";

/** How long files without a session are kept, in ms: those of a question are stored before it is, and an asker's uploads wait for one. */
export const graceWithoutSession = 600_000;
/** How long an upload that nothing names is kept, in ms: a day, for a person who writes an answer without a draft. */
const grace = 86_400_000;

/**
 * Removes the files of sessions that are gone, and those that no question, answer, reply, message or draft names for a day. Resolves with how many. What is
 * removed twice, or in several hubs at once, does no harm.
 */
export async function sweepFiles({ blobs, store, now }: { blobs: Blobs; store: SessionStore; now: number }): Promise<number> {
  // Listed before the sessions are read: a file that is named from now on was touched before.
  const all = Map.groupBy(await blobs.list(), ({ sessionId }) => sessionId);
  if (all.size === 0) return 0;
  const drafted = await draftedFiles(store);
  let removed = 0;
  for (const [sessionId, files] of all) {
    const record = await store.get(sessionId);
    const named = new Set(record === undefined ? [] : [...shownFiles(record), ...answeredFiles(record), ...(drafted.get(sessionId) ?? [])]);
    for (const file of files) {
      if (named.has(file.id)) continue;
      if (await blobs.remove(file, { storedBefore: now - (record === undefined ? graceWithoutSession : grace) })) removed += 1;
    }
  }
  return removed;
}

/** Removes everything of a session that was removed. */
export async function removeFilesOf(blobs: Blobs, sessionId: string): Promise<void> {
  for (const file of await blobs.list(sessionId)) await blobs.remove(file);
}

/** The ids of the files that drafts name, by session; also by the one that was replaced, from which a draft was taken over. */
async function draftedFiles(store: SessionStore): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const draft of await store.listDrafts()) {
    const names = draftFiles(draft);
    if (names.length === 0) continue;
    const replaced = (await store.get(draft.sessionId))?.replaces;
    for (const id of [draft.sessionId, ...(replaced === undefined ? [] : [replaced])]) found.set(id, [...(found.get(id) ?? []), ...names]);
  }
  return found;
}

/** The ids of the files that a draft names, or an answer in it that can still be undone. */
export const draftFiles = (draft: Draft): string[] => idsOf([draft, ...Object.values(draft.fields), ...setParts(draft.scheduled)]);

/** The ids of the pictures that the questions show. */
export const shownFiles = ({ request }: SessionRecord): string[] =>
  allImages(request.questions).flatMap((image) => ("sha256" in image ? image.sha256 : []));

/** The ids of the files that the answers, a reply or messages name. */
export const answeredFiles = ({ context: { outcome }, reply, thread }: SessionRecord): string[] =>
  idsOf([...setParts(outcome?.kind === "answered" ? outcome : undefined), ...setParts(reply), ...thread]);

const setParts = (set: AnswerSet | undefined) => (set === undefined ? [] : [set, ...set.answers]);

const idsOf = (fields: readonly Pick<DraftField, "files">[]): string[] =>
  fields.flatMap(({ files = [] }) => files.map(({ sha256 }) => sha256));
