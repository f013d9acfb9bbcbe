import { defaultTool, dialectNames } from "@askbox/mcp";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { serveApprovalPrompt, serveMcp, serveProbe } from "../mcp-entry.ts";
import { type McpFlags, mcpFlags } from "../mcp-flags.ts";

const tools = `${dialectNames.join(", ")} (default: ${defaultTool})`;

/** As named by Commander. */
type McpOptions = McpFlags & { probe?: boolean; approvalPrompt?: boolean; maxWait?: string; onCancel?: string };

/** Used for help and errors only; a valid command line takes the fast path in `mcp-entry.ts`. */
export const command: DefineCommand = (run) => {
  const command = commandWith("mcp", "Serve MCP on stdio, for an agent's client to start", [
    ["askbox install claude-code", "makes Claude Code start it; askbox install --list shows the other clients"],
    ["askbox server", "the ask_user_questions contract under its server name"],
    ["askbox mcp --tools cn_ask_user --timeout 600000", "with another tool name, and 10 minutes to answer"],
  ]);
  for (const [name, { value, does }] of Object.entries(mcpFlags)) {
    // The program defines these two for every command.
    if (name !== "hub" && name !== "token-file") command.option(`--${name} <${value}>`, name === "tools" ? `${does}: ${tools}` : does);
  }
  command.option("--approval-prompt", "only offer approval_prompt, for claude --permission-prompt-tool");
  command.option("--probe", "only measure how long the client waits; see askbox doctor --client NAME");
  return command.action(
    run((context: CommandContext, options: McpOptions) => {
      const { probe, approvalPrompt, maxWait, onCancel, ...rest } = options;
      if (probe) return serveProbe();
      if (approvalPrompt) return serveApprovalPrompt(context.globals);
      return serveMcp({
        ...rest,
        "max-wait": maxWait,
        "on-cancel": onCancel,
        hub: context.globals.hub,
        "token-file": context.globals.tokenFile,
      });
    }),
  );
};
