import { parseArgs } from "node:util";
import type { Fallback } from "@askbox/mcp";
import { hubCommand } from "./hub-command.ts";
import { type McpFlags, mcpFlags } from "./mcp-flags.ts";
import { version } from "./version.ts";

/**
 * Serves MCP on stdio until the client exits; resolves with the exit code. Undefined if the arguments ask for help or are invalid:
 * the caller then takes the slow path, which prints what is wrong.
 */
export async function runMcp(args: readonly string[], command: "mcp" | "server" = "mcp"): Promise<number | undefined> {
  if (args.length === 1 && args[0] === "--probe") return serveProbe();
  if (args.length === 1 && args[0] === "--approval-prompt") return serveApprovalPrompt({});
  const flags = parse(args);
  if (flags === undefined) return undefined;
  return serveMcp(command === "server" && flags.tools === undefined ? { ...theirServer, ...flags } : flags);
}

/** The `ask_user_questions` server, started by a command of the same name: one tool, whose call waits until its question is settled. */
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

/** Serves the tool that measures a client's timeout. */
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

/** An invalid number is reported by the server. */
function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
