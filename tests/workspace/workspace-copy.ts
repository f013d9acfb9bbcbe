import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod";

const root = resolve(import.meta.dirname, "../..");
const require = createRequire(join(root, "package.json"));
const notCopied = new Set(["node_modules", "dist", ".git", ".turbo", ".results", ".mutation", "coverage"]);

const lintReport = z.object({
  diagnostics: z.array(
    z.object({ category: z.string(), severity: z.string(), location: z.object({ path: z.string().nullish() }).nullish() }),
  ),
});

export interface Complaint {
  path: string;
  category: string;
}

/** A copy of the workspace's sources in a temporary folder, in which rules can be broken. */
export interface WorkspaceCopy {
  write(path: string, source: string): void;
  /** Of these files. */
  lint(paths: readonly string[]): Complaint[];
  compileCore(): Complaint[];
  remove(): void;
}

function run(packageName: string, entry: string, args: string[], cwd: string): string {
  const command = join(dirname(require.resolve(`${packageName}/package.json`)), entry);
  const { stdout, stderr, signal, error } = spawnSync(process.execPath, [command, ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (error !== undefined) throw error;
  if (stdout === "" && stderr !== "") throw new Error(`${packageName} ended with ${signal ?? "nothing to report"}: ${stderr}`);
  return stdout;
}

export function copyWorkspace(): WorkspaceCopy {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "askbox-rules-")));
  // Links are kept: Biome crashes on one that leads out of the folder.
  cpSync(root, folder, { recursive: true, verbatimSymlinks: true, filter: (source) => !notCopied.has(basename(source)) });
  symlinkSync(join(root, "packages/core/node_modules"), join(folder, "packages/core/node_modules"), "junction");

  return {
    write(path, source) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), source);
    },
    lint(paths) {
      const printed = run("@biomejs/biome", "bin/biome", ["lint", "--reporter=json", "--max-diagnostics=none", ...paths], folder);
      const { diagnostics } = lintReport.parse(JSON.parse(printed));
      return diagnostics
        .filter(({ severity }) => severity === "error" || severity === "warning")
        .map(({ category, location }) => ({ category, path: location?.path ?? "" }));
    },
    compileCore() {
      const printed = run("typescript", "bin/tsc", ["-p", "packages/core", "--noEmit", "--pretty", "false"], folder);
      return [...printed.matchAll(/^(.+?)\(\d+,\d+\): error TS/gm)].map(([, path = ""]) => ({ category: "tsc", path }));
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
