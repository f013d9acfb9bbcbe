import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/**
 * The branch checked out in the folder or the repository around it; undefined without a repository or with a detached HEAD. Reads git's
 * files directly: starting git would take longer than everything else in an ask.
 */
export async function gitBranch(project: string): Promise<string | undefined> {
  try {
    const folder = await gitFolder(resolve(project));
    if (folder === undefined) return undefined;
    const head = await readStart(join(folder, "HEAD"));
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim();
  } catch {
    return undefined;
  }
}

/** The first 8 KB of a regular file; a path and a name fit in. Anything else is not waited for: a project may contain a pipe. */
async function readStart(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) return "";
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8_192));
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function gitFolder(folder: string): Promise<string | undefined> {
  const git = join(folder, ".git");
  const found = await stat(git).catch(() => undefined);
  if (found?.isDirectory()) return git;
  if (found?.isFile()) {
    // A worktree or submodule: the file contains the real folder.
    const target = /^gitdir: (.+)$/m.exec(await readStart(git))?.[1]?.trim();
    return target === undefined ? undefined : resolve(folder, target);
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : gitFolder(parent);
}
