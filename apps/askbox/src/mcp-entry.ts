import { parseArgs } from "node:util";
import type { Fallback } from "@askbox/mcp";
import { hubCommand } from "./hub-command.ts";
import { type McpFlags, mcpFlags } from "./mcp-flags.ts";
import { version } from "./version.ts";

/**
 * Serves MCP on stdio until the client leaves; resolves with the exit code. Undefined when the arguments ask for help or are wrong:
 * the caller then takes the long way, which knows what to say.
 */
export async function runMcp(args: readonly string[], command: "mcp" | "server" = "mcp"): Promise<number | undefined> {
  if (args.length === 1 && args[0] === "--probe") return serveProbe();
  if (args.length === 1 && args[0] === "--approval-prompt") return serveApprovalPrompt({});
  const flags = parse(args);
  if (flags === undefined) return undefined;
  return serveMcp(command === "server" && flags.tools === undefined ? { ...theirServer, ...flags } : flags);
}

/** The `ask_user_questions` server, which is started by a command of this name: one tool, whose call waits for as long as its question does. */
const theirServer: McpFlags = { tools: "ask_user_questions", name: "AskUserQuestions", "max-wait": "0" };

export async function serveMcp(flags: McpFlags): Promise<number> {
  const { runStdioServer } = await import("@askbox/mcp-stdio");
  const { tools, name, timeout, surfaces, project, agent, approvals, hub } = flags;
  return runStdioServer({
    flags: {
      tools: listOf(tools),
      name,
      timeout: numberOf(timeout),
      maxWait: numberOf(flags["max-wait"]),
      surfaces: listOf(surfaces),
      onCancel: flags["on-cancel"] as "keep" | "withdraw" | undefined,
      fallback: flags.fallback as Fallback | undefined,
      project,
      agent,
      approvals,
      hub,
      tokenFile: flags["token-file"],
    },
    env: process.env,
    hubCommand: hubCommand(),
    version,
    async afterStart(log) {
      const { autoRegister } = await import("./auto-register.ts");
      await autoRegister(process.env, log);
    },
  });
}

/** Serves the tool by which a client's limit is measured. */
export async function serveProbe(): Promise<number> {
  const { runProbeServer } = await import("@askbox/mcp-stdio/probe");
  return runProbeServer({ env: process.env, version });
}

/** Serves the tool for a client's permission prompts. */
export async function serveApprovalPrompt({
  hub,
  tokenFile,
}: {
  hub?: string | undefined;
  tokenFile?: string | undefined;
}): Promise<number> {
  const { runApprovalPrompt } = await import("@askbox/mcp-stdio/approval-prompt");
  return runApprovalPrompt({ env: process.env, hub, tokenFile, hubCommand: hubCommand(), version });
}

function parse(args: readonly string[]): McpFlags | undefined {
  const options = Object.fromEntries(Object.keys(mcpFlags).map((name) => [name, { type: "string" as const }]));
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch {
    return undefined;
  }
}

function listOf(names: string | undefined): string[] | undefined {
  return names?.split(",").map((name) => name.trim());
}

/** The server says what is wrong with a number that is none. */
function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
