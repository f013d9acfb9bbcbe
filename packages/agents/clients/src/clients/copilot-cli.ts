import { defaultTool } from "@askbox/mcp";
import { hookTimeout } from "../approvals/tool-event.ts";
import { type ClientSettings, entryName, type Scope, type Setup, type System } from "../client.ts";
import type { JsonObject } from "../json.ts";
import {
  attending,
  authorization,
  block,
  chosen,
  entry,
  inProject,
  join,
  refuseExclusive,
  refuseHooks,
  spoken,
  stdio,
  unsupported,
  whole,
} from "./parts.ts";

/**
 * GitHub Copilot CLI: an entry in its JSON, and a file of hooks. One hook allows askbox's own tools, since Copilot's entries have no setting
 * for that; with approvals, a second one brings everything else to the inbox.
 */

const longest = 1_800;
const folder = (system: System, scope: Scope) =>
  scope === "project" ? inProject(system, ".github") : chosen(system, "COPILOT_HOME", ".copilot");

const allow = `echo '{"behavior":"allow"}'`;

/** Copilot matches the whole of a tool's name. */
function hooks({ approvals }: Setup): string {
  const permissionRequest = [
    { type: "command", matcher: `${entryName}/.*`, bash: allow, powershell: allow, timeoutSec: 10 },
    ...(approvals === undefined ? [] : [{ type: "command", matcher: `(?!${entryName}/).*`, bash: approvals, timeoutSec: hookTimeout }]),
  ];
  return `${JSON.stringify({ version: 1, hooks: { permissionRequest } }, undefined, 2)}\n`;
}

export const copilotCli: ClientSettings = {
  signs: (system) => ({ programs: ["copilot"], folders: [join(system, folder(system, "user"), "config.json")] }),
  tools: [defaultTool],
  raisedTo: longest,
  tokenFromEnvironment: true,
  // A project's `.mcp.json` is Claude Code's too, with fields of its own.
  file: (system, scope) => join(system, folder(system, scope), scope === "project" ? "mcp.json" : "mcp-config.json"),
  entryAt: () => ["mcpServers", entryName],
  changes(setup, file) {
    refuseExclusive(setup, "Copilot CLI");
    refuseHooks(setup, "Copilot CLI");
    const { scope, system, skill, approvals } = setup;
    if (approvals !== undefined && scope === "project") {
      throw unsupported("Copilot CLI's permission requests are set up for you, not for a project; use --approvals with --scope user.");
    }
    if (approvals !== undefined && system.platform === "win32") {
      throw unsupported(
        "Copilot CLI runs its hooks in PowerShell on Windows, where askbox has no command for its permission requests yet.",
      );
    }
    const reach = attending(setup.reach, setup, "copilot-cli");
    const server: JsonObject =
      reach.kind === "stdio"
        ? { type: "local", ...stdio(reach) }
        : { type: reach.kind, url: reach.url, headers: authorization(reach, (name) => `\${${name}}`) };
    const said = spoken({ ...setup, skill: undefined }, "ask_user");
    const place = folder(system, scope);
    return [
      {
        path: file,
        format: "jsonc",
        changes: [entry(["mcpServers", entryName], { ...server, tools: ["*"], timeout: longest * 1_000 })],
      },
      whole(join(system, place, "hooks", "askbox.json"), hooks(setup)),
      ...(said === undefined ? [] : [block(join(system, place, "copilot-instructions.md"), said)]),
      ...(skill === undefined ? [] : [whole(join(system, place, "skills", "askbox", "SKILL.md"), skill.skill)]),
    ];
  },
  notes: ({ scope, approvals }) => [
    ...(scope === "project" ? ["Copilot CLI reads a project's servers and hooks only in a folder that you trust."] : []),
    ...(approvals === undefined
      ? []
      : [
          "Copilot CLI asks its hooks before its own rules, and what they say counts: commands, edits and tools come to the inbox whether a rule or a flag allows or denies them, except commands that only read in the project.",
        ]),
  ],
};
