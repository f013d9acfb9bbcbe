import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitChanges } from "../src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

it("reads what has changed since the last commit, without running what the repository configures", async () => {
  const folder = temporaryFolder();
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { stdio: "pipe" });
  git("init", "-q", "-b", "main");
  writeFileSync(join(folder, "a.txt"), "one\n");
  git("add", ".");
  git("commit", "-qm", "first");
  const ran = join(folder, "ran");
  writeFileSync(join(folder, "hook.sh"), `#!/bin/sh\necho >'${ran}'\n`, { mode: 0o755 });
  for (const name of ["core.fsmonitor", "diff.external"]) git("config", name, join(folder, "hook.sh"));
  writeFileSync(join(folder, "a.txt"), "two\n");
  expect(await gitChanges(folder, 30_000)).toMatch(/^ a\.txt \| 2 \+-\n 1 file changed/);
  expect(existsSync(ran)).toBe(false);
  expect(await gitChanges(temporaryFolder())).toBeUndefined();
});
