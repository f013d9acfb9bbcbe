import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { canRun, type Host, needs, prepare, startFirst } from "./programs.ts";
import { root } from "./run.ts";

/** Milliseconds for one download, installation or first start. */
const timeout = 900_000;

const require = createRequire(resolve(root, "tests/package.json"));

function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"], timeout });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.on("error", () => done(false));
    child.on("close", (code) => {
      // Warnings of a program that works, such as Chromium's on a machine without D-Bus, are ignored.
      if (code !== 0) process.stderr.write(said);
      done(code === 0);
    });
  });
}

const host = (say: Host["say"]): Host => ({
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  env: process.env,
  canRun,
  run,
  playwrightChromium() {
    const { chromium } = require(require.resolve("playwright-core")) as { chromium: { executablePath(): string } };
    return chromium.executablePath();
  },
  async downloadChromium() {
    const playwright = dirname(require.resolve("playwright-core/package.json"));
    const isDone = await run(process.execPath, [resolve(playwright, "cli.js"), "install", "--no-shell", "chromium"]);
    if (!isDone) throw new Error("Playwright could not download its Chromium.");
  },
  say,
});

/** Installs the programs that the tests need: Chromium, tmux, Redis, `script`. Missing ones are reported, and the tests run anyway. */
export async function prepareMachine(say: Host["say"]): Promise<void> {
  const machine = host(say);
  await prepare(needs, machine);
  await startFirst(needs, machine);
}
