import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AskboxError } from "@askbox/core";
import { ensurePrivateFolder } from "@askbox/home";
import { runEditor } from "@askbox/tui/editor";
import { keptIn } from "./kept-in.ts";

/** Bytes; a document has up to 200 KB. */
const maxFile = 4_194_304;

/** A file after a person edited it; it stays until it is deleted. */
export interface EditedFile {
  readonly path: string;
  /** Undefined if nothing was written. */
  readonly text: string | undefined;
  delete(): Promise<void>;
}

export interface EditOptions {
  folder: string;
  name: string;
  text: string;
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** Told that an earlier file is continued. */
  onKept(path: string): Promise<void>;
}

/**
 * Opens a private file in the person's editor. One that was not sent, because something failed or the process was killed, is opened again
 * and counts as written when it is saved. Throws `VALIDATION` if the editor fails or the file is too large; what was written is kept.
 */
export async function editedFile({ folder, name, text, env, platform, onKept }: EditOptions): Promise<EditedFile> {
  ensurePrivateFolder(folder);
  const path = join(folder, name);
  const isKept = await writeFile(path, text, { mode: 0o600, flag: "wx" }).then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return true;
      throw new AskboxError("VALIDATION", `${path} could not be written: ${error.message}.`, { cause: error });
    },
  );
  if (isKept) await onKept(path);
  const before = await read(path);
  const problem = await runEditor(path, env, platform);
  const after = await read(path);
  const isWritten = after.text !== before.text || (isKept && after.changedAt !== before.changedAt);
  const remove = () => rm(path, { force: true });
  if (!isWritten && !isKept) await remove();
  if (problem !== undefined) throw new AskboxError("VALIDATION", isWritten || isKept ? `${problem} ${keptIn(path)}` : problem);
  return { path, text: isWritten ? after.text : undefined, delete: remove };
}

async function read(path: string): Promise<{ text: string; changedAt: number }> {
  const fail = (why: string) => new AskboxError("VALIDATION", `${path} ${why}.`);
  const { size, mtimeMs } = await stat(path).catch(() => {
    throw fail("is gone, so nothing was sent");
  });
  if (size > maxFile) throw fail(`has ${size} bytes; at most ${maxFile} are read`);
  return { text: await readFile(path, "utf8"), changedAt: mtimeMs };
}
