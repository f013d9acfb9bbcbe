import { type DialectName, dialectTraits, toolDefinitions } from "@askbox/mcp";
import { entryName, type Place, type Reach } from "./client.ts";
import { claudeEntry } from "./clients/claude-code.ts";
import { include, inProject, set } from "./clients/parts.ts";
import { valueAt } from "./json.ts";
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

/** The id of the agent for which a worktree was prepared; undefined where none was. */
export function worktreeAgent(place: Place): string | undefined {
  const url = valueAt(place.settings(inProject(place, ".mcp.json")), ["mcpServers", entryName, "url"]);
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  return new URL(url).searchParams.get("agent") ?? undefined;
}

/** The two blocks for the agent's system prompt: what not to use, and what to use instead. */
export function promptBlocks(tool: DialectName, agentId: string): [unavailable: string, instead: string] {
  const takesId = dialectTraits(tool).agentId;
  const [definition] = toolDefinitions([tool]);
  const required = definition?.inputSchema["required"];
  const call = takesId && Array.isArray(required) ? `${tool}(${required.join(", ")})` : tool;
  const id = takesId ? `\nAlways pass agent_id="${agentId}" exactly as given.` : "";
  return [
    `Do NOT use the \`AskUserQuestion\` tool: it is disabled in headless mode and always fails.
Do NOT invoke skills (brainstorming, writing-plans, debugging, etc.): they are for interactive sessions, and no skill may be used to ask a person.`,
    `## Asking a person
You have a \`${call}\` tool through MCP. It waits until a person has answered.
Use it whenever the answer would change your approach, and before anything that is hard to undo.${id}
An error is not an answer: say so and stop.`,
  ];
}
