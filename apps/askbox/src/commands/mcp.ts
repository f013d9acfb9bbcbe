import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { serveMcp } from "../mcp-entry.ts";
import { type McpFlags, mcpFlags } from "../mcp-flags.ts";

/** For the help, and for what is wrong with a command line; a right one takes the short way of `mcp-entry.ts`. */
export const command: DefineCommand = (run) => {
  const command = commandWith("mcp", "Serve MCP on stdio: what an agent's client starts", [
    ["claude mcp add askbox -- npx -y askbox mcp", "add it to Claude Code"],
    ["codex mcp add askbox -- npx -y askbox mcp", "add it to Codex"],
    ["askbox mcp --tools cn_ask_user --timeout 600000", "under another name of the tool, with 10 minutes for an answer"],
  ]);
  for (const [name, { value, does }] of Object.entries(mcpFlags)) {
    // The program has these two for every command.
    if (name !== "hub" && name !== "token-file") command.option(`--${name} <${value}>`, does);
  }
  return command.action(
    run((context: CommandContext, options: { maxWait?: string; onCancel?: string } & McpFlags) => {
      const { maxWait, onCancel, ...rest } = options;
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
