import type { ClientSettings, Scope, System } from "../client.ts";
import { entryName } from "../client.ts";
import { type JsonObject, valueAt } from "../json.ts";
import { authorization, block, entry, include, inHome, inProject, join, refuseHooks, spoken, stdio, whole } from "./parts.ts";

const longest = 1_800;
const folder = (system: System, scope: Scope) => (scope === "project" ? inProject(system, ".gemini") : inHome(system, ".gemini"));

export const geminiCli: ClientSettings = {
  signs: (system) => ({ programs: ["gemini"], folders: [join(system, folder(system, "user"), "settings.json")] }),
  // It has its own tool named `ask_user`, and drops another server's.
  tools: ["cn_ask_user"],
  raisedTo: longest,
  tokenFromEnvironment: true,
  file: (system, scope) => join(system, folder(system, scope), "settings.json"),
  entryAt: () => ["mcpServers", entryName],
  changes(setup, file) {
    refuseHooks(setup, "Gemini CLI");
    const { scope, system, reach, exclusive, skill } = setup;
    const server: JsonObject =
      reach.kind === "stdio"
        ? stdio(reach)
        : { [reach.kind === "sse" ? "url" : "httpUrl"]: reach.url, headers: authorization(reach, (name) => `$${name}`) };
    const said = spoken({ ...setup, skill: undefined }, "ask_user");
    const memory = scope === "project" ? inProject(system, "GEMINI.md") : join(system, folder(system, scope), "GEMINI.md");
    return [
      {
        path: file,
        format: "jsonc",
        changes: [
          entry(["mcpServers", entryName], { ...server, trust: true, timeout: longest * 1_000 }),
          ...(exclusive ? [include(["tools", "exclude"], "ask_user")] : []),
        ],
      },
      ...(said === undefined ? [] : [block(memory, said)]),
      ...(skill === undefined ? [] : [whole(join(system, folder(system, scope), "skills", "askbox", "SKILL.md"), skill.skill)]),
    ];
  },
  plugin: (system) => {
    const file = inHome(system, ".gemini", "extensions", "extension-enablement.json");
    const overrides = valueAt(system.settings(file), [entryName, "overrides"]);
    // The last rule that holds decides; one with an exclamation mark disables it.
    const isEnabled = Array.isArray(overrides) && !String(overrides.at(-1)).startsWith("!");
    return isEnabled ? { file, brings: "a server and a skill", remove: `gemini extensions uninstall ${entryName}` } : undefined;
  },
  notes: ({ tools }) =>
    tools.includes("ask_user")
      ? [
          "Without a person at it, Gemini CLI drops every server's tool named ask_user, its own tool's name; leave --tools out for cn_ask_user.",
        ]
      : [],
};
