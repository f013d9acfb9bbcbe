import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../../tests/support/until.ts";
import { gitChanges } from "../src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A new one, with a file that is not added yet. */
function repository() {
  const folder = temporaryFolder();
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { stdio: "pipe" });
  git("init", "-q", "-b", "main");
  writeFileSync(join(folder, "a.txt"), "one\n");
  return { folder, git };
}

it("reads what has changed since the last commit, without running what the repository configures", async () => {
  const { folder, git } = repository();
  git("add", ".");
  git("commit", "-qm", "first");
  const ran = join(folder, "ran");
  writeFileSync(join(folder, "hook.sh"), `#!/bin/sh\necho >'${ran}'\n`, { mode: 0o755 });
  for (const name of ["core.fsmonitor", "diff.external", "filter.a.clean", "filter.b c.process", "filter.lfs.clean"])
    git("config", name, join(folder, "hook.sh"));
  git("config", "filter.lfs.required", "true");
  writeFileSync(join(folder, ".git/info/attributes"), "a.txt filter=lfs\nb.txt filter=a\n");
  writeFileSync(join(folder, "a.txt"), "two\n");
  expect(await gitChanges(folder, 30_000)).toMatch(/^ a\.txt \| 2 \+-\n 1 file changed/);
  expect(existsSync(ran)).toBe(false);
  expect(await gitChanges(temporaryFolder())).toBeUndefined();
});

it("runs no filter of a repository with more of them than can be read", async () => {
  const { folder, git } = repository();
  git("add", ".");
  git("commit", "-qm", "first");
  const ran = join(folder, "ran");
  writeFileSync(join(folder, "hook.sh"), `#!/bin/sh\necho >'${ran}'\ncat\n`, { mode: 0o755 });
  git("config", "filter.a.clean", join(folder, "hook.sh"));
  const many = Array.from({ length: 2_000 }, (_, index) => `[filter "${"x".repeat(40)}${index}"]\n\tclean = cat\n`);
  appendFileSync(join(folder, ".git/config"), many.join(""));
  writeFileSync(join(folder, ".git/info/attributes"), "a.txt filter=a\n");
  writeFileSync(join(folder, "a.txt"), "two\n");
  expect(await gitChanges(folder, 30_000)).toBeUndefined();
  expect(existsSync(ran)).toBe(false);
});

it("writes nothing, not even the index of a file that was only touched", async () => {
  const { folder, git } = repository();
  // Older than the index, which git otherwise distrusts.
  utimesSync(join(folder, "a.txt"), 1_000, 1_000);
  git("add", ".");
  git("commit", "-qm", "first");
  utimesSync(join(folder, "a.txt"), 2_000, 2_000);
  const index = () => statSync(join(folder, ".git/index"), { bigint: true });
  const before = index();
  expect(await gitChanges(folder, 30_000)).toBeUndefined();
  expect(index()).toEqual(expect.objectContaining({ ino: before.ino, mtimeNs: before.mtimeNs }));
  expect(existsSync(join(folder, ".git/index.lock"))).toBe(false);
});

it("fetches nothing that a partial clone lacks", async () => {
  const [source, folder] = [temporaryFolder(), temporaryFolder()];
  const git = (...args: readonly string[]) => execFileSync("git", args, { stdio: "pipe", encoding: "utf8" });
  git("init", "-q", "-b", "main", source);
  for (const text of ["one", "two"]) {
    writeFileSync(join(source, "a.txt"), `${text}\n`);
    git("-C", source, "add", ".");
    git("-C", source, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qm", text);
  }
  for (const name of ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"]) git("-C", source, "config", name, "true");
  git("clone", "-q", "--filter=blob:none", `file://${source}`, folder);
  git("-C", folder, "reset", "-q", "--soft", "HEAD~1");
  const lacking = () => git("-C", folder, "rev-list", "--objects", "--all", "HEAD", "--missing=print").match(/^\?/gm)?.length;
  expect(lacking()).toBe(1);
  expect(await gitChanges(folder, 30_000)).toBeUndefined();
  expect(lacking()).toBe(1);
});

it("asks a git that takes too long to end, so that it removes what it has begun", async () => {
  const folder = temporaryFolder();
  execFileSync("git", ["-C", folder, "init", "-q", "-b", "main"]);
  const programs = temporaryFolder();
  writeFileSync(join(programs, "git"), `#!/bin/sh\ntrap 'echo asked > "${folder}/asked"; exit' TERM\nwhile :; do sleep 0.01; done\n`, {
    mode: 0o755,
  });
  const path = process.env["PATH"];
  process.env["PATH"] = `${programs}:${path}`;
  onTestFinished(() => {
    process.env["PATH"] = path;
  });
  expect(await gitChanges(folder, 300)).toBeUndefined();
  await until("the signal", () => existsSync(join(folder, "asked")));
});
