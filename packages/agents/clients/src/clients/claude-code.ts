import { defaultTool } from "@askbox/mcp";
import { quietTools } from "../approvals/claude-code.ts";
import { claudeEntrypoint, hookTimeout } from "../approvals/tool-event.ts";
import type { ClientSettings, Scope, Setup, System } from "../client.ts";
import { entryName, pluginId, scopes, tokenVariable } from "../client.ts";
import { type JsonObject, valueAt } from "../json.ts";
import {
  attending,
  authorization,
  block,
  entry,
  include,
  inHome,
  inProject,
  join,
  set,
  spoken,
  stdio,
  unsupported,
  whole,
} from "./parts.ts";

/** Seconds. The longest timeout of a question, so that the question times out first. */
const longest = 1_800;
/** Seconds. No question is open for longer. */
const longestOpen = 86_400;

const folder = (system: System, scope: Scope) =>
  scope === "project" ? inProject(system, ".claude") : system.env["CLAUDE_CONFIG_DIR"] || inHome(system, ".claude");

/** Claude Code's own settings besides its list of servers. */
const claudeSettings = (system: System, scope: Scope): string => join(system, folder(system, scope), "settings.json");

const modeAt = ["permissions", "defaultMode"];
const modeIn = (system: System, scope: Scope): unknown => valueAt(system.settings(claudeSettings(system, scope)), modeAt);
const asked = "whatever no rule allows comes to the inbox";
/** What reaches the inbox in each mode. */
const reaching: ReadonlyMap<unknown, string> = new Map([
  ["default", asked],
  ["manual", asked],
  ["auto", "a model checks each call; what it denies comes to the inbox, and the rest runs"],
  ["acceptEdits", "edits of the project's files run; whatever else no rule allows comes to the inbox"],
  ["plan", "it only plans; the plan comes to the inbox"],
  ["dontAsk", "whatever no rule allows is denied, and nothing comes to the inbox"],
  ["bypassPermissions", "everything runs, and nothing comes to the inbox"],
]);
/** These two are the same: Claude Code asks before each call that no rule allows. */
const askingModes: readonly unknown[] = ["default", "manual"];

/** A server's entry, as in `.mcp.json` and `~/.claude.json`. */
function claudeEntry({ reach }: Pick<Setup, "reach">): JsonObject {
  const server: JsonObject =
    reach.kind === "stdio"
      ? { type: "stdio", ...stdio(reach) }
      : { type: reach.kind, url: reach.url, headers: authorization(reach, (name) => `\${${name}}`) };
  // Without `alwaysLoad`, the client's tool search hides the tools.
  return { ...server, timeout: longest * 1_000, alwaysLoad: true };
}

export const claudeCode: ClientSettings = {
  signs: (system) => ({ programs: ["claude"], folders: [folder(system, "user")] }),
  tools: [defaultTool],
  raisedTo: longest,
  tokenFromEnvironment: true,
  reportsCalls: true,
  mode: {
    read: (system, scope) => ({ file: claudeSettings(system, scope), at: modeAt.join("."), value: modeIn(system, scope) }),
    asks: (value) => askingModes.includes(value),
    asking: "default",
  },
  hooked(system, scope) {
    const settings = system.settings(claudeSettings(system, scope));
    const isAt = (event: string) => /hook claude-code|\/hooks\/claude-code/.test(JSON.stringify(valueAt(settings, ["hooks", event])) ?? "");
    return { approvals: isAt("PermissionRequest"), forms: isAt("Elicitation"), denials: isAt("PermissionDenied") };
  },
  decides(system, scope) {
    const value = modeIn(system, scope);
    const words = reaching.get(value ?? "auto") ?? "what comes to the inbox in this mode is not known";
    return { file: claudeSettings(system, scope), at: modeAt.join("."), value, asks: askingModes.includes(value), words };
  },
  file: (system, scope) => {
    if (scope === "project") return inProject(system, ".mcp.json");
    const chosen = system.env["CLAUDE_CONFIG_DIR"];
    return chosen ? join(system, chosen, ".claude.json") : inHome(system, ".claude.json");
  },
  entryAt: () => ["mcpServers", entryName],
  // Where `claude mcp add` puts a server without `--scope`.
  projectServersAt: ({ project }) => [["projects", project, "mcpServers"]],
  changes(setup, file) {
    const { scope, system, tools, exclusive, hookCommand, skill, askFirst } = setup;
    const server = claudeEntry({ reach: attending(setup.reach, setup, "claude-code") });
    if (exclusive && hookCommand !== undefined) {
      throw unsupported("--with-hooks carries questions that --exclusive forbids; give one of the two.");
    }
    const words = spoken({ ...setup, skill: undefined }, "AskUserQuestion");
    const memory = scope === "project" ? inProject(system, "CLAUDE.md") : join(system, folder(system, scope), "CLAUDE.md");
    return [
      { path: file, format: "jsonc", changes: [entry(["mcpServers", entryName], server)], isPrivate: scope === "user" },
      {
        path: claudeSettings(system, scope),
        format: "jsonc",
        changes: [
          // Otherwise a long call continues in the background, and its answer no longer counts as a person's.
          set(["env", "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"], "0"),
          ...[...tools, "get_answer", "get_files"].map((tool) => include(["permissions", "allow"], `mcp__${entryName}__${tool}`)),
          ...(askFirst ? [set(modeAt, String(askingModes.find((mode) => mode === modeIn(system, scope)) ?? "default"))] : []),
          ...(exclusive ? [include(["permissions", "deny"], "AskUserQuestion")] : []),
          ...(hookCommand === undefined ? [] : [include(["hooks", "PreToolUse"], questionHook(hookCommand))]),
          ...[...approvalHooks(setup), ...wakeHooks(setup)].map(([event, hook]) => include(["hooks", event], hook)),
        ],
      },
      ...(words === undefined ? [] : [block(memory, words)]),
      ...(skill === undefined ? [] : [whole(join(system, folder(system, scope), "skills", "askbox", "SKILL.md"), skill.skill)]),
    ];
  },
  // `.mcp.json` names the server; `.claude/settings.json` repeats that, and allows its use without asking anyone.
  worktree({ system, reach, tools, exclude }) {
    const server = claudeEntry({ reach });
    const entry = { ...set(["mcpServers", entryName], server), ours: true } as const;
    return [
      { path: inProject(system, ".mcp.json"), format: "jsonc", changes: [entry] },
      {
        path: inProject(system, ".claude", "settings.json"),
        format: "jsonc",
        changes: [
          entry,
          include(["enabledMcpjsonServers"], entryName),
          set(["env", "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"], "0"),
          ...[...tools, "get_answer", "get_files"].map((tool) => include(["permissions", "allow"], `mcp__${entryName}__${tool}`)),
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
  },
  plugin: (system) => {
    const file = scopes
      .map((scope) => claudeSettings(system, scope))
      .find((path) => valueAt(system.settings(path), ["enabledPlugins", pluginId]) === true);
    return file === undefined ? undefined : { file, brings: "a server, hooks and a skill", remove: `claude plugin uninstall ${pluginId}` };
  },
  notes: ({ scope, reach }) => [
    ...(scope === "project" ? ["Claude Code asks you once whether it may use the project's servers."] : []),
    ...(reach.kind === "stdio" && scope === "project"
      ? ["The entry names paths of this machine; don't commit it to a shared repository."]
      : []),
  ],
};

/**
 * The hooks that ask, for permission and with the form of an MCP server, those that bring what auto mode denied and let through what a person
 * overruled, and those that report that Claude Code's own prompt was answered.
 */
export function approvalHooks({
  approvals,
  overruled,
  reach,
  ran,
}: Pick<Setup, "approvals" | "overruled" | "reach" | "ran">): [event: string, hook: JsonObject][] {
  if (approvals === undefined) return [];
  const hook = (timeout: number, command = approvals): JsonObject => {
    if (reach.kind === "stdio") return { type: "command", command, timeout };
    const { header, variable } = claudeEntrypoint;
    return {
      type: "http",
      url: new URL("/hooks/claude-code", reach.url).href,
      timeout,
      headers: { ...authorization({}, (name) => `$${name}`), [header]: `$${variable}` },
      allowedEnvVars: [tokenVariable, variable],
    };
  };
  // Not after every file that is read, since a hook starts a program. Other approvals are withdrawn when the agent stops.
  const matcher = ran
    ? `^(?!(?:${quietTools.filter((tool) => tool !== "ExitPlanMode").join("|")})$)`
    : "Bash|Edit|MultiEdit|Write|NotebookEdit|WebFetch|WebSearch|ExitPlanMode|mcp__.*";
  return [
    ["PermissionRequest", { matcher: "*", hooks: [hook(hookTimeout)] }],
    ["PermissionDenied", { matcher: "*", hooks: [hook(hookTimeout)] }],
    // Before every call, so it must cost nothing.
    ...(reach.kind === "stdio" && overruled === undefined
      ? []
      : [["PreToolUse", { matcher: "*", hooks: [hook(5, overruled)] }] satisfies [string, JsonObject]]),
    ["Elicitation", { hooks: [hook(hookTimeout)] }],
    ["PostToolUse", { matcher, hooks: [hook(10)] }],
    ["PostToolUseFailure", { matcher, hooks: [hook(10)] }],
    ["Stop", { hooks: [hook(10)] }],
    ["SubagentStop", { hooks: [hook(10)] }],
    ["SessionEnd", { hooks: [hook(10)] }],
  ];
}

/**
 * The hooks that wait at the hub, in the background, after a turn and when a conversation is opened, while it has an open question. Claude Code
 * begins a turn when one ends with code 2. It has them where it is set up by command: the hub must be this machine's.
 */
export function wakeHooks({ wake, reach }: Pick<Setup, "wake" | "reach">): [event: string, hook: JsonObject][] {
  if (wake === undefined || reach.kind !== "stdio") return [];
  const hook = { type: "command", command: wake, asyncRewake: true, timeout: longestOpen };
  return [
    ["Stop", { hooks: [hook] }],
    ["SessionStart", { hooks: [hook] }],
  ];
}

/** The hook that carries its own questions. */
export const questionHook = (command: string): JsonObject => ({
  matcher: "AskUserQuestion",
  hooks: [{ type: "command", command, timeout: longest + 30 }],
});
