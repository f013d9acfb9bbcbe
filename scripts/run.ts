import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants, setPriority } from "node:os";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const require = createRequire(import.meta.url);

export interface Finished {
  exitCode: number;
  output: string;
}

export interface RunOptions {
  /** `show` lets the tool write to the terminal; `keep` collects what it writes. */
  output: "show" | "keep";
  env?: Record<string, string>;
  /** Milliseconds after which it is killed; never by default. */
  timeout?: number;
  /** Whether others get the processors first. */
  givesWay?: boolean;
}

/** Runs the tool `name` of the package `packageName` with the current Node, in the workspace's root. */
export function runTool(packageName: string, name: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  const manifestPath = require.resolve(`${packageName}/package.json`);
  const { bin } = require(manifestPath) as { bin: string | Record<string, string> };
  const entry = typeof bin === "string" ? bin : bin[name];
  if (entry === undefined) throw new Error(`${packageName} has no command named ${name}.`);
  return runScript(resolve(dirname(manifestPath), entry), args, options);
}

/** Runs a script with the current Node, in the workspace's root. */
export function runScript(path: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [path, ...args], {
      cwd: root,
      env: { ...process.env, ...options.env },
      timeout: options.timeout,
      stdio: options.output === "show" ? "inherit" : ["ignore", "pipe", "pipe"],
    });
    if (options.givesWay && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    let output = "";
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.on("error", failed);
    child.on("close", (code) => done({ exitCode: code ?? 1, output }));
  });
}
