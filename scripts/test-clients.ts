import { resolve } from "node:path";
import { installNewest } from "./install-newest.ts";
import { runTool } from "./run.ts";

/**
 * `pnpm test:clients [FILTER…]`: installs the newest coding agents from npm in a folder of the workspace, and runs them with a scripted model on
 * loopback. Nothing is sent to a real model.
 */
const clients = [
  ...["@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli", "opencode-ai", "@github/copilot"],
  ...["@qwen-code/qwen-code", "@earendil-works/pi-coding-agent", "cline", "@moonshot-ai/kimi-code"],
  // A newer one has no program for Linux yet.
  "@kilocode/cli@7.7.7",
];
/** Adapters of the first two, and a client, for the Agent Client Protocol. */
const acp = ["@agentclientprotocol/claude-agent-acp", "@agentclientprotocol/codex-acp", "acpx"];

// Under an older Node, npm installs old versions of the clients without a word.
const oldest = 22;
if (Number.parseInt(process.versions.node, 10) < oldest)
  throw new Error(`The clients need Node ${oldest} or newer; this is ${process.versions.node}.`);

const folder = installNewest("clients", [...clients, ...acp]);

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
