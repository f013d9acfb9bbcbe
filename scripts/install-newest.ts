import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import { root } from "./run.ts";

/** Installs the newest versions of packages from npm, or those that they name, in a folder of the workspace, outside its dependencies; returns the folder. */
export function installNewest(name: string, packages: readonly string[]): string {
  const folder = resolve(root, `node_modules/.cache/askbox-${name}`);
  mkdirSync(folder, { recursive: true });
  // npm runs no install script that isn't allowed, and some packages fetch their program with one.
  const allowScripts = Object.fromEntries(packages.map((each) => [each.replace(/(?!^)@.*$/, ""), true]));
  writeFileSync(resolve(folder, "package.json"), `${JSON.stringify({ private: true, allowScripts })}\n`);
  const args = ["install", "--no-audit", "--no-fund", ...packages.map((each) => (each.includes("@", 1) ? each : `${each}@latest`))];
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  execFileSync("npm", args, { cwd: folder, stdio: "inherit", env: { ...process.env, PATH: path }, shell: process.platform === "win32" });
  return folder;
}
