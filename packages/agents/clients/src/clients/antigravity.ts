import type { ClientSettings, System } from "../client.ts";
import { entryName } from "../client.ts";
import type { JsonObject } from "../json.ts";
import { authorization, block, entry, inHome, inProject, refuseExclusive, refuseHooks, spoken, stdio, whole } from "./parts.ts";

const older = (system: System) => inHome(system, ".gemini", "antigravity", "mcp_config.json");
/** Newer builds read this one; it is used if it is the only one. */
const newer = (system: System) => inHome(system, ".gemini", "config", "mcp_config.json");

export const antigravity: ClientSettings = {
  signs: (system) => ({
    programs: ["antigravity", "agy"],
    folders: [inHome(system, ".gemini", "antigravity"), inHome(system, ".gemini", "config", "mcp_config.json")],
  }),
  // Based on Gemini CLI: see there.
  tools: ["cn_ask_user"],
  tokenFromEnvironment: false,
  file(system, scope) {
    if (scope === "project") return inProject(system, ".agents", "mcp_config.json");
    return !system.exists(older(system)) && system.exists(newer(system)) ? newer(system) : older(system);
  },
  entryAt: () => ["mcpServers", entryName],
  changes(setup, file) {
    refuseExclusive(setup, "Antigravity");
    refuseHooks(setup, "Antigravity");
    const { scope, system, reach, skill } = setup;
    const server: JsonObject =
      reach.kind === "stdio" ? stdio(reach) : { serverUrl: reach.url, headers: authorization(reach, (name) => `$${name}`) };
    const said = spoken({ ...setup, skill: undefined }, undefined);
    const skills = scope === "project" ? inProject(system, ".agents", "skills") : inHome(system, ".gemini", "antigravity", "skills");
    return [
      { path: file, format: "jsonc", changes: [entry(["mcpServers", entryName], server)], holdsToken: reach.kind !== "stdio" },
      ...(said === undefined
        ? []
        : [block(scope === "project" ? inProject(system, "AGENTS.md") : inHome(system, ".gemini", "GEMINI.md"), said)]),
      ...(skill === undefined ? [] : [whole(`${skills}/askbox/SKILL.md`, skill.skill)]),
    ];
  },
};
