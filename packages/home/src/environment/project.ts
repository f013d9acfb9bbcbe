import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";

let isRemoved = false;

/** The folder that a process works in; undefined if that was removed, as a worktree may be while an agent runs in it. */
export function workingFolder(host: Pick<NodeJS.Process, "cwd"> = process): string | undefined {
  try {
    // It stays removed after `leaveRemovedFolder`.
    return isRemoved ? undefined : host.cwd();
  } catch {
    isRemoved = true;
    return undefined;
  }
}

/** Goes to the home folder if the working folder was removed: libraries such as Ink ask for it when they are loaded, and fail. */
export function leaveRemovedFolder(): void {
  if (workingFolder() === undefined) process.chdir(homedir());
}

/**
 * The one name of a project's folder, which filters and grants compare: absolute, without links or a slash at its end. A folder that isn't on
 * this machine keeps its name. A relative path is one in `from`, by default the folder that this process works in.
 */
export async function projectFolder(path: string, from = workingFolder()): Promise<string> {
  if (from === undefined && !isAbsolute(path))
    throw new Error(`${JSON.stringify(path)} can't be found from here, since this folder was removed; give the whole path.`);
  const whole = resolve(from ?? path, path);
  return realpath(whole).catch(() => whole);
}
