/**
 * A custom store: every change is appended to a file as a line, on disk before anybody is notified; reads come from memory. For one
 * process at a time, such as a CI runner.
 */
import { type FileHandle, open } from "node:fs/promises";
import { AskboxError, type Draft, memoryStore, type SessionRecord, type SessionStore } from "@askbox/core";
import { type AuditEntry, mustFollow } from "@askbox/core/audit";
import type { RemoveFilter } from "@askbox/core/stores";

type Line =
  | { op: "insert"; record: SessionRecord; entry?: AuditEntry | undefined }
  | { op: "replace"; record: SessionRecord; expected: number; entry?: AuditEntry | undefined }
  | { op: "remove"; filter: RemoveFilter }
  | { op: "draft"; draft: Draft; expected: number }
  | { op: "removeDraft"; id: string };

const newline = 0x0a;

export async function journalStore(path: string): Promise<SessionStore> {
  const memory = memoryStore();
  const file = await open(path, "a+");
  let size = await replay(file, memory);
  let broken: unknown;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs one task at a time, so that what was checked is still true when it is written. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const write = async (line: Line) => {
    if (broken !== undefined)
      throw new AskboxError("STORE_UNAVAILABLE", "The journal could not be written; open it again.", { cause: broken });
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      await file.appendFile(bytes);
      await file.datasync();
      size += bytes.length;
    } catch (cause) {
      // The last line may be incomplete: it is removed, and no more is written, since the state of the file is unknown.
      broken = cause;
      await file.truncate(size).catch(() => {});
      throw new AskboxError("STORE_UNAVAILABLE", "The journal could not be written; make room on its disk and open it again.", { cause });
    }
  };

  return {
    ...memory,
    durability: { level: "disk", description: "Every change is on disk, in a journal, before it is told." },
    insert: (record, { entry } = {}) =>
      inTurn(async () => {
        const present = (await memory.get(record.id)) ?? (await holderOfKey(memory, record));
        if (present !== undefined) return { inserted: false, existing: present };
        mustFollow(entry, await memory.audit.last());
        await write({ op: "insert", record, entry });
        return memory.insert(record, { entry });
      }),
    replace: (record, expected, { entry } = {}) =>
      inTurn(async () => {
        if ((await memory.get(record.id))?.revision !== expected) return false;
        mustFollow(entry, await memory.audit.last());
        await write({ op: "replace", record, expected, entry });
        return memory.replace(record, expected, { entry });
      }),
    remove: (filter) =>
      inTurn(async () => {
        await write({ op: "remove", filter });
        return memory.remove(filter);
      }),
    putDraft: (draft, expected) =>
      inTurn(async () => {
        const session = await memory.get(draft.sessionId);
        const present = await memory.getDraft(draft.sessionId);
        if (session?.state !== "pending" || (present?.revision ?? 0) !== expected) return false;
        await write({ op: "draft", draft, expected });
        return memory.putDraft(draft, expected);
      }),
    removeDraft: (id) =>
      inTurn(async () => {
        if ((await memory.getDraft(id)) === undefined) return;
        await write({ op: "removeDraft", id });
        await memory.removeDraft(id);
      }),
    close: () =>
      inTurn(async () => {
        await memory.close();
        broken ??= "closed";
        await file.close();
      }),
  };
}

async function holderOfKey(memory: SessionStore, { state, owner, key }: SessionRecord): Promise<SessionRecord | undefined> {
  if (state !== "pending" || key === undefined) return undefined;
  return (await memory.list({ states: ["pending"], owner, key, limit: 1 })).sessions[0];
}

/** Replays the journal, removes an incomplete last line, and returns the length of the rest. */
async function replay(file: FileHandle, memory: SessionStore): Promise<number> {
  const bytes = await file.readFile();
  const size = bytes.lastIndexOf(newline) + 1;
  if (size < bytes.length) await file.truncate(size);
  for (const text of bytes.subarray(0, size).toString("utf8").split("\n").slice(0, -1)) {
    const line = JSON.parse(text) as Line;
    if (line.op === "insert") await memory.insert(line.record, line);
    else if (line.op === "replace") await memory.replace(line.record, line.expected, line);
    else if (line.op === "remove") await memory.remove(line.filter);
    else if (line.op === "draft") await memory.putDraft(line.draft, line.expected);
    else await memory.removeDraft(line.id);
  }
  return size;
}
