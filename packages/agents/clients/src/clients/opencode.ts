import { defaultTool } from "@askbox/mcp";
import { type ClientSettings, entryName, type Reach, type Scope, type System, scopes } from "../client.ts";
import type { Change } from "../formats/format.ts";
import { isObject, type JsonObject, valueAt } from "../json.ts";
import { opencodePlugin } from "./opencode-plugin.ts";
import {
  attending,
  authorization,
  block,
  entry,
  inConfig,
  inProject,
  join,
  refuseHooks,
  set,
  spoken,
  unsupported,
  whole,
} from "./parts.ts";

/**
 * OpenCode: an entry in its JSON, and for permissions a plugin with rules that make OpenCode ask. Rules of the user stay as they are.
 */

const schema = "https://opencode.ai/config.json";
const longest = 1_800;
const folder = (system: System, scope: Scope) => (scope === "project" ? system.project : inConfig(system, "opencode"));

/** OpenCode reads all of these, whichever contains askbox's entry. */
const userFiles = ["config.json", "opencode.json", "opencode.jsonc"];
const rulesAt = (system: System) => permissionRules(userFiles.map((name) => system.settings(join(system, folder(system, "user"), name))));

/** The entry of askbox's package among the plugins: its name, with or without a version, or a folder. */
function pluginIn(settings: unknown): string | undefined {
  const list = valueAt(settings, ["plugin"]);
  if (!Array.isArray(list)) return undefined;
  return list.flat().find((spec) => typeof spec === "string" && /^askbox(?:@|$)|\/askbox$/.test(spec));
}

/** A server's entry, as OpenCode and what is built on it have it. */
export function localOrRemote(reach: Reach): JsonObject {
  if (reach.kind !== "stdio")
    return { type: "remote", url: reach.url, headers: authorization(reach, (name) => `{env:${name}}`), oauth: false };
  const { command, args, env } = reach;
  return { type: "local", command: [command, ...args], ...(Object.keys(env).length > 0 && { environment: { ...env } }) };
}

export const opencode: ClientSettings = {
  signs: (system) => ({ programs: ["opencode"], folders: [folder(system, "user")] }),
  tools: [defaultTool],
  raisedTo: longest,
  tokenFromEnvironment: true,
  file(system, scope) {
    const [json, jsonc] = ["opencode.json", "opencode.jsonc"].map((name) => join(system, folder(system, scope), name)) as [string, string];
    // OpenCode merges the two, and what the second says counts.
    const isSecond = system.exists(json)
      ? valueAt(system.settings(jsonc), this.entryAt(system, jsonc)) !== undefined
      : system.exists(jsonc);
    return isSecond ? jsonc : json;
  },
  // Version 2 nests its servers one level deeper.
  entryAt: (system, file) =>
    isObject(valueAt(system.settings(file), ["mcp", "servers"])) ? ["mcp", "servers", entryName] : ["mcp", entryName],
  changes(setup, file) {
    refuseHooks(setup, "OpenCode");
    const { scope, system, exclusive, skill, approvals } = setup;
    const reach = attending(setup.reach, setup, "opencode");
    if (approvals !== undefined && scope === "project") {
      throw unsupported("OpenCode's permission requests are set up for you, not for a project; use --approvals with --scope user.");
    }
    const server = localOrRemote(reach);
    const said = spoken({ ...setup, skill: undefined }, "question");
    const skills = scope === "project" ? inProject(system, ".opencode", "skills") : join(system, folder(system, scope), "skills");
    return [
      {
        path: file,
        format: "jsonc",
        changes: [
          // OpenCode adds it automatically if missing, and an uninstall would leave it behind.
          ...([undefined, schema].includes(valueAt(system.settings(file), ["$schema"]) as string | undefined)
            ? [set(["$schema"], schema)]
            : []),
          entry(this.entryAt(system, file), { ...server, enabled: true, timeout: longest * 1_000 }),
          ...(exclusive ? [set(["permission", "question"], "deny")] : []),
          ...(approvals === undefined ? [] : rulesAt(system).changes),
        ],
      },
      ...(approvals === undefined
        ? []
        : [whole(join(system, folder(system, scope), "plugins", "askbox-approvals.js"), opencodePlugin(approvals))]),
      ...(said === undefined ? [] : [block(join(system, folder(system, scope), "AGENTS.md"), said)]),
      ...(skill === undefined ? [] : [whole(join(system, skills, "askbox", "SKILL.md"), skill.skill)]),
    ];
  },
  plugin(system) {
    const files = scopes.flatMap((scope) => userFiles.map((name) => join(system, folder(system, scope), name)));
    const file = files.find((path) => pluginIn(system.settings(path)) !== undefined);
    if (file === undefined) return undefined;
    return { file, brings: "a server", remove: `delete ${pluginIn(system.settings(file))} from its list of plugins in ${file}` };
  },
  notes({ system, approvals }) {
    const { kept } = approvals === undefined ? { kept: [] } : rulesAt(system);
    if (kept.length === 0) return [];
    return [`Your own permission rules decide about ${kept.join(", ")}; only what they ask about comes to the inbox.`];
  },
};

/** By default OpenCode asks for none of these. MCP tools are prefixed with their server's name. */
const rules = { bash: "ask", edit: "ask", webfetch: "ask", [`${entryName}_*`]: "allow" };

/** The rules that askbox adds, and the names that a person's own rules already cover, which are not changed. */
function permissionRules(settings: readonly unknown[]): { changes: Change[]; kept: string[] } {
  const own = settings.flatMap(rulesIn);
  const isKept = ([name, to]: [string, string]) => own.some((rule) => (rule.name === name ? rule.to !== to : mayOverlap(rule.name, name)));
  const all = Object.entries(rules);
  return {
    changes: all.filter((rule) => !isKept(rule)).map(([name, to]) => set(["permission", name], to)),
    kept: all.filter(isKept).map(([name]) => name),
  };
}

interface Rule {
  name: string;
  to: unknown;
}

/** The last matching rule wins, and `permission` takes precedence over the older `tools`. */
function rulesIn(settings: unknown): Rule[] {
  if (!isObject(settings)) return [];
  const { permission, tools } = settings;
  const rule = ([name, to]: [string, unknown]): Rule => ({ name, to });
  const older = isObject(tools) ? Object.keys(tools) : [];
  return [
    ...(isObject(permission) ? Object.entries(permission).map(rule) : permission === undefined ? [] : [{ name: "*", to: permission }]),
    ...older.map((name) => ({ name: name === "write" || name === "patch" ? "edit" : name, to: undefined })),
  ];
}

/** Whether a name may match both patterns; only a negative result is certain. */
function mayOverlap(one: string, other: string): boolean {
  const [left, right] = [endsOf(one), endsOf(other)];
  return agree(left.before, right.before, "startsWith") && agree(left.after, right.after, "endsWith");
}

const agree = (one: string, other: string, how: "startsWith" | "endsWith") => one[how](other) || other[how](one);

/** The parts before the first wildcard and after the last. */
function endsOf(pattern: string): { before: string; after: string } {
  const parts = pattern.split(/[*?]/);
  return { before: parts[0] ?? "", after: parts.at(-1) ?? "" };
}
