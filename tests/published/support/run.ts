import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd?: string;
  /** The whole environment; default: this process's own. */
  env?: NodeJS.ProcessEnv;
  /** Milliseconds after which the program is killed. Default 600,000. */
  timeout?: number;
}

/** Runs a program until it exits. */
export async function run(file: string, args: readonly string[], { cwd, env, timeout = 600_000 }: RunOptions = {}): Promise<Ran> {
  const child = spawn(file, args, { cwd, env: env ?? process.env, stdio: ["ignore", "pipe", "pipe"], timeout: timeout });
  const code = new Promise<number | null>((ended, failed) => {
    child.once("error", failed);
    child.once("close", ended);
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

/** Runs a program that must succeed, and returns its stdout. */
export async function mustRun(file: string, args: readonly string[], options?: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(file, args, options);
  if (code !== 0) throw new Error(`${[file, ...args].join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

// pnpm's environment variables for scripts must not affect another project's npm.
export const plainEnvironment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|pnpm_|NODE_OPTIONS$)/i.test(name))),
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
};

/** A program that keeps running: its first line of output, and a function that ends it. */
export async function startProgram(
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<{ line: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const said = (async () => {
    for await (const line of createInterface(child.stdout)) return line;
    throw new Error(`${args.join(" ")} ended and said nothing.`);
  })();
  return {
    line: await said,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
