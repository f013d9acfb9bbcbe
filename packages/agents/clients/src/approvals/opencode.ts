import { resolve } from "node:path";
import { type ApprovalSource, approvalAsk, commandAction, denial } from "@askbox/approvals";
import type { Action } from "@askbox/core";
import { entryName } from "../client.ts";
import { isObject, type JsonObject } from "../json.ts";
import { inputOf, relayedWith, runOf, textOf } from "./tool-event.ts";

/**
 * OpenCode's `permission.asked`, as askbox's plugin forwards it: with the tool call, since the request itself lacks the folder of a command
 * and the arguments of a server's tool. OpenCode's own prompt is open at the same time.
 */
export const opencodeSource: ApprovalSource = {
  client: "opencode",
  path: "/hooks/opencode",
  read(event) {
    if (!isObject(event) || event["type"] !== "permission.asked") return undefined;
    const { properties: request, call, root } = event;
    if (!isObject(request) || !isObject(call)) return undefined;
    const input = inputOf(call["input"]);
    const conversation = textOf(root, 500);
    const session = textOf(request["sessionID"], 500);
    const permission = textOf(request["permission"], 200);
    const tool = textOf(call["tool"], 200);
    if (conversation === undefined || session === undefined || permission === undefined || tool === undefined || input === undefined)
      return undefined;
    // Asking a person needs no permission.
    if (permission === "question" || permission.startsWith(`${entryName}_`)) return undefined;
    const { branch, background, folder: cwd } = relayedWith(event);
    const { metadata, patterns } = request;
    const action = actionOf({
      permission,
      tool,
      input,
      metadata: isObject(metadata) ? metadata : {},
      patterns,
      cwd,
      servers: event["servers"],
    });
    if (action === undefined) return undefined;
    return approvalAsk({
      agent: "OpenCode",
      conversation,
      cwd,
      branch,
      background,
      action,
      input,
      run: runOf(tool, input),
      agentId: session === conversation ? undefined : session,
      wants: action.kind === "edit" ? "change these files" : undefined,
    });
  },
  // Without a message, OpenCode ends the agent's turn without telling it why.
  reply: (_ask, decision) => (decision.kind === "deny" ? { reply: "reject", message: denial(decision.reason) } : { reply: "once" }),
};

interface Requested {
  permission: string;
  /** The tool that was called, which may need several permissions. */
  tool: string;
  input: JsonObject;
  metadata: JsonObject;
  patterns: unknown;
  cwd: string | undefined;
  servers: unknown;
}

/** Undefined for what can't be shown completely, and if the request and the call disagree. */
function actionOf({ permission, tool, input, metadata, patterns, cwd, servers }: Requested): Action | undefined {
  const base = { tool, ...(cwd !== undefined && { cwd }) };
  switch (permission) {
    case "bash": {
      const { command, workdir, ...rest } = input;
      if (typeof command !== "string" || metadata["command"] !== command) return undefined;
      if (workdir === undefined) return commandAction(tool, { ...rest, command }, cwd);
      return typeof workdir === "string" && cwd !== undefined
        ? commandAction(tool, { ...rest, command }, resolve(cwd, workdir))
        : undefined;
    }
    case "edit": {
      const { filepath: path, diff } = metadata;
      if (typeof path !== "string" || typeof diff !== "string") return undefined;
      const rest = { ...withoutTexts(input), ...movesOf(metadata) };
      return { kind: "edit", ...base, path, diff, ...(Object.keys(rest).length > 0 && { input: rest }) };
    }
    case "webfetch": {
      const { url } = input;
      return typeof url === "string" && metadata["url"] === url ? { kind: "fetch", ...base, path: url, input } : undefined;
    }
    case tool:
      return { kind: "tool", ...base, ...titleOfTool(tool, servers), input };
    default: {
      // A request for a permission other than the call's own must say what it is for.
      if (Object.keys(metadata).length === 0) return undefined;
      const title = `${permission}: ${Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === "string").join(", ") : ""}`;
      return {
        kind: "other",
        ...base,
        ...(title.length <= 500 && { title }),
        input: { permission, patterns: patterns ?? null, metadata, arguments: input },
      };
    }
  }
}

/** The arguments of an edit that are not in its diff. */
function withoutTexts({
  filePath: _path,
  oldString: _old,
  newString: _new,
  content: _content,
  patchText: _patch,
  ...rest
}: JsonObject): JsonObject {
  return rest;
}

/** Where a patch moves files to, which is not in its diff. */
function movesOf({ files }: JsonObject): JsonObject {
  const moved = Array.isArray(files) ? files.filter(isObject).filter(({ movePath }) => movePath !== undefined) : [];
  if (moved.length === 0) return {};
  return { moves: moved.map(({ filePath = null, movePath = null }) => ({ from: filePath, to: movePath })) };
}

/** `github_create_issue` is a tool of the server `github`; if several server names match, the longest wins. */
function titleOfTool(tool: string, servers: unknown): { title?: string } {
  const names = Array.isArray(servers) ? servers.filter((name) => typeof name === "string") : [];
  const [server] = names
    .filter((name) => name.length <= 200 && tool.startsWith(`${prefixOf(name)}_`))
    .sort((one, other) => other.length - one.length);
  return server === undefined ? {} : { title: `${tool.slice(prefixOf(server).length + 1)} of the MCP server ${server}` };
}

const prefixOf = (server: string) => server.replace(/[^\w-]/g, "_");
