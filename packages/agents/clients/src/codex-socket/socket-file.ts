import { lstatSync, realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, join } from "node:path";

/** Where Codex' daemon listens. */
export const codexSocket = (env: Readonly<Record<string, string | undefined>>): string =>
  join(
    env["CODEX_HOME"] || join(env["HOME"] || homedir() || userInfo().homedir, ".codex"),
    "app-server-control",
    "app-server-control.sock",
  );

/**
 * The socket with its links resolved, if it is one that only this user can have opened: it and its folder belong to them, and nobody else can
 * write to either. Undefined if there is none. Throws if it could be somebody else's.
 */
export function ownSocket(path: string): string | undefined {
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return undefined;
  }
  const uid = process.getuid?.();
  const [file, folder] = [lstatSync(real), lstatSync(dirname(real))];
  if (!file.isSocket()) throw new Error(`${real} is no socket`);
  if (file.uid !== uid || folder.uid !== uid) throw new Error(`${real} belongs to another user`);
  // Who can write to a folder can put another socket into it.
  if ((folder.mode & 0o077) !== 0 || (file.mode & 0o022) !== 0) throw new Error(`other users can reach ${real}`);
  return real;
}
