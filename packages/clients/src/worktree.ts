import { type DialectName, dialectTraits, toolDefinitions } from "@askbox/mcp";
import { entryName, type Place, type Reach } from "./client.ts";
import { claudeEntry } from "./clients/claude-code.ts";
import { include, inProject, set } from "./clients/parts.ts";
import type { FileChange } from "./plan.ts";

export interface WorktreeOptions {
  place: Place;
  /** The hub's `/sse`, with the agent's id in it; the token comes from the environment. */
  reach: Reach;
  tools: readonly string[];
  /** The file by which git ignores files of this clone alone; absent outside of a repository. */
  exclude?: string | undefined;
}

/**
 * What an agent that is about to be started in a worktree finds there. Claude Code reads its servers from `.mcp.json`; `.claude/settings.json` says
 * the same for whoever reads it there, and that this server may be used without anybody being asked.
 */
export function worktreeFiles({ place, reach, tools, exclude }: WorktreeOptions): FileChange[] {
  const server = claudeEntry({ reach });
  const entry = { ...set(["mcpServers", entryName], server), ours: true } as const;
  return [
    { path: inProject(place, ".mcp.json"), format: "jsonc", changes: [entry] },
    {
      path: inProject(place, ".claude", "settings.json"),
      format: "jsonc",
      changes: [
        entry,
        include(["enabledMcpjsonServers"], entryName),
        set(["env", "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"], "0"),
        ...[...tools, "get_answer"].map((tool) => include(["permissions", "allow"], `mcp__${entryName}__${tool}`)),
      ],
    },
    ...(exclude === undefined
      ? []
      : [
          {
            path: exclude,
            format: "text",
            changes: [
              { kind: "line", text: "/.mcp.json" },
              { kind: "line", text: "/.claude/settings.json" },
            ],
          } as const,
        ]),
  ];
}

/** The two blocks for the agent's system prompt: what not to use, and what to use instead. */
export function promptBlocks(tool: DialectName, agentId: string): [unavailable: string, instead: string] {
  const takesId = dialectTraits(tool).agentId;
  const [definition] = toolDefinitions([tool]);
  const required = definition?.inputSchema["required"];
  const call = takesId && Array.isArray(required) ? `${tool}(${required.join(", ")})` : tool;
  const id = takesId ? `\nAlways pass agent_id="${agentId}" exactly as given.` : "";
  return [
    `Do NOT use the \`AskUserQuestion\` tool: without a person at this client it fails every time.
Do NOT invoke skills that ask questions of their own (brainstorming, planning, debugging): they wait for somebody who is not there.`,
    `## Asking a person
You have a \`${call}\` tool through MCP. It waits until a person has answered.
Use it whenever the answer would change your approach, and before anything that is hard to undo.${id}
An error is not an answer: say so and stop.`,
  ];
}
