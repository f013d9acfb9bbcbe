import { type DialectName, dialectTraits, toolDefinitions } from "@askbox/mcp";
import { entryName, type System } from "./client.ts";
import { inProject } from "./clients/parts.ts";
import { valueAt } from "./json.ts";

/** The id of the agent for which a worktree was prepared; undefined if it was not. */
export function worktreeAgent(system: System): string | undefined {
  const url = valueAt(system.settings(inProject(system, ".mcp.json")), ["mcpServers", entryName, "url"]);
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
You have ${/^[aeiou]/.test(call) ? "an" : "a"} \`${call}\` tool through MCP. It waits until a person has answered.
Use it whenever the answer would change your approach, and before anything that is hard to undo.${id}
An error is not an answer: say so and stop.`,
  ];
}
