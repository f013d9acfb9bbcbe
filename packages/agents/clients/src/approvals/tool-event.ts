import { createHash } from "node:crypto";
import { type Decision, denial } from "@askbox/approvals";
import { backgroundSchema, canonicalJson } from "@askbox/core/schemas";
import { entryName } from "../client.ts";
import { isObject, type JsonObject } from "../json.ts";

/**
 * What all sources share: how a tool call is titled and its input read, which tools are askbox's own, and what a hook prints, also if
 * there is no hub.
 */

/** Whether a tool is one of askbox's own. */
export const isOwnTool = (tool: string): boolean => tool.startsWith(`mcp__${entryName}__`);

/** Whether a server is askbox's own. A plugin's is `plugin:PLUGIN:SERVER`. */
export const isOwnServer = (server: string): boolean => server === entryName || server.endsWith(`:${entryName}`);

/** `mcp__github__create_issue` is a tool of a server. */
export function titleOfTool(tool: string): { title?: string } {
  const [mark, server, ...name] = tool.split("__");
  return mark === "mcp" && name.length > 0 ? { title: `${name.join("__")} of the MCP server ${server}` } : {};
}

/** Equal for the same tool with the same arguments, in any order. A digest, since many are held and compared. */
export const runOf = (tool: string, input: JsonObject): string =>
  createHash("sha256")
    .update(canonicalJson([tool, input]))
    .digest("base64url");

/** A tool's arguments, of which there may be none; undefined if they are invalid. */
export const inputOf = (value: unknown): JsonObject | undefined => (value == null ? {} : isObject(value) ? value : undefined);

/** A name, id or path of an event; undefined if it is invalid. */
export const textOf = (value: unknown, max: number): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= max ? value : undefined;

/** What askbox's own relay adds to an event: about the place, which the agent doesn't choose, and the way. */
export function relayedWith(event: JsonObject) {
  const { branch, folder, isPromptTool, isAttended, background } = isObject(event["askbox"]) ? event["askbox"] : {};
  return {
    branch: textOf(branch, 500),
    background: backgroundSchema.optional().catch(undefined).parse(background),
    folder: textOf(folder, 4_096),
    isPromptTool: isPromptTool === true,
    isAttended: isAttended !== false,
  };
}

/** The client's timeout of the hook, in seconds. A person may extend an approval beyond its own timeout. */
export const hookTimeout = 86_400;

/** The output of a `PermissionRequest` hook. Codex ignores a decision with a field that it doesn't know. */
export const hookOutput = (decision: Decision, allowed: { updatedInput?: Record<string, unknown> } = {}): object => ({
  hookSpecificOutput: {
    hookEventName: "PermissionRequest",
    decision: decision.kind === "deny" ? { behavior: "deny", message: denial(decision.reason) } : { behavior: "allow", ...allowed },
  },
});

/** What such a hook prints if its request can't reach a person. */
export const unreachedOutput = (why: string): object => ({ systemMessage: `askbox: ${why} This request is not in the inbox.` });

/** How Claude Code's http hooks say what started it: a header, and the variable of Claude Code's own that fills it. */
export const claudeEntrypoint = { header: "Askbox-Entrypoint", variable: "CLAUDE_CODE_ENTRYPOINT" } as const;
