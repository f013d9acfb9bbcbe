import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import { root, runTool } from "./run.ts";

/**
 * `pnpm test:clients [FILTER…]`: installs the newest coding agents from npm in a folder of the workspace, and runs them with a scripted model on
 * loopback. Nothing is sent to a real model.
 */
const clients = ["@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli", "opencode-ai"];

// Under an older Node, npm installs old versions of the clients without a word.
const oldest = 22;
if (Number.parseInt(process.versions.node, 10) < oldest)
  throw new Error(`The clients need Node ${oldest} or newer; this is ${process.versions.node}.`);

const folder = resolve(root, "node_modules/.cache/askbox-clients");
mkdirSync(folder, { recursive: true });
writeFileSync(resolve(folder, "package.json"), '{ "private": true }\n');
const args = ["install", "--no-audit", "--no-fund", ...clients.map((name) => `${name}@latest`)];
const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
execFileSync("npm", args, { cwd: folder, stdio: "inherit", env: { ...process.env, PATH: path }, shell: process.platform === "win32" });

await import("./build.ts");
if (process.exitCode === undefined || process.exitCode === 0) {
  const { exitCode } = await runTool(
    "vitest",
    "vitest",
    ["run", "--config", "tests/real-clients/vitest.config.ts", ...process.argv.slice(2)],
    {
      output: "show",
      env: { ASKBOX_CLIENTS: resolve(folder, "node_modules/.bin") },
    },
  );
  process.exitCode = exitCode;
}
