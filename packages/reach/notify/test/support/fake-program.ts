import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface FakeProgram {
  /** The arguments of each run so far. */
  runs(): string[][];
}

/** Creates an executable of this name in the folder that records its arguments, then runs `then`, a shell line. */
export function fakeProgram(folder: string, name: string, then = "exit 0"): FakeProgram {
  const record = join(folder, `${name}.runs`);
  writeFileSync(record, "");
  // A single write, so that the records of two programs don't mix.
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
