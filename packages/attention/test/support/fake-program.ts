import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface FakeProgram {
  /** The arguments of each run so far. */
  runs(): string[][];
}

/** An executable of this name in the folder that records its arguments, then runs `then`, a line for the shell. */
export function fakeProgram(folder: string, name: string, then = "exit 0"): FakeProgram {
  const record = join(folder, `${name}.runs`);
  writeFileSync(record, "");
  // The runs go into one write, so that two programs at a time do not mix theirs.
  const script = `#!/bin/sh\n{ printf '%s\\037' "$@"; printf '\\036'; } >>'${record}'\n${then}\n`;
  writeFileSync(join(folder, name), script, { mode: 0o755 });
  return {
    runs: () =>
      readFileSync(record, "utf8")
        .split("\u001e")
        .slice(0, -1)
        .map((run) => run.split("\u001f").slice(0, -1)),
  };
}
