import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { program } from "../../setup/programs.ts";

const standIn = resolve(import.meta.dirname, "ssh-stand-in.mjs");
const script = (line: string) => `#!/bin/sh\n${line}\n`;
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

/** A host that the stand-in for `ssh` reaches: a folder, with a home in which askbox can be run, or not. */
export function openSshHost({ hasAskbox = true }: { hasAskbox?: boolean } = {}) {
  // Short, since the path of a socket has room for some 100 characters.
  const folder = mkdtempSync(join(tmpdir(), "abh-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [home, bin, ssh, log] = ["home", "bin", "ssh", "log"].map((name) => join(folder, name)) as [string, string, string, string];
  for (const path of [home, bin, ssh]) mkdirSync(path);
  const add = (path: string, line: string) => {
    writeFileSync(path, script(line));
    chmodSync(path, 0o755);
  };
  add(join(ssh, "ssh"), `exec ${quoted([process.execPath, standIn])} "$@"`);
  if (hasAskbox) add(join(bin, "askbox"), `exec ${quoted(program("askbox"))} "$@"`);
  return {
    home,
    /** The folder of the stand-in, for PATH. */
    ssh,
    env: { SSH_HOST_HOME: home, SSH_HOST_PATH: [bin, "/usr/bin", "/bin"].join(delimiter), SSH_LOG: log },
    /** The environment of a command that runs there. */
    there: {
      HOME: home,
      ASKBOX_HOME: join(home, ".local/share/askbox"),
      ASKBOX_ATTENTION: "none",
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    },
    /** What was started so far. */
    started: (): { pid: number; args: string[]; isTunnel: boolean }[] =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [],
  };
}
