import type { ClientSettings, Place } from "../client.ts";
import { entryName } from "../client.ts";
import type { JsonObject } from "../json.ts";
import { authorization, block, entry, inHome, inProject, refuseExclusive, refuseHooks, spoken, stdio, whole } from "./parts.ts";

const older = (place: Place) => inHome(place, ".gemini", "antigravity", "mcp_config.json");
/** Newer builds read this one; it is used if it is the only one. */
const newer = (place: Place) => inHome(place, ".gemini", "config", "mcp_config.json");

export const antigravity: ClientSettings = {
  signs: (place) => ({
    programs: ["antigravity", "agy"],
    folders: [inHome(place, ".gemini", "antigravity"), inHome(place, ".gemini", "config", "mcp_config.json")],
  }),
  // Based on Gemini CLI: see there.
  tools: ["cn_ask_user"],
  tokenFromEnvironment: false,
  file(place, scope) {
    if (scope === "project") return inProject(place, ".agents", "mcp_config.json");
    return !place.exists(older(place)) && place.exists(newer(place)) ? newer(place) : older(place);
  },
  entryAt: () => ["mcpServers", entryName],
  changes(setup, file) {
    refuseExclusive(setup, "Antigravity");
    refuseHooks(setup, "Antigravity");
    const { scope, place, reach, skill } = setup;
    const server: JsonObject =
      reach.kind === "stdio" ? stdio(reach) : { serverUrl: reach.url, headers: authorization(reach, (name) => `$${name}`) };
    const said = spoken({ ...setup, skill: undefined }, undefined);
    const skills = scope === "project" ? inProject(place, ".agents", "skills") : inHome(place, ".gemini", "antigravity", "skills");
    return [
      { path: file, format: "jsonc", changes: [entry(["mcpServers", entryName], server)], holdsToken: reach.kind !== "stdio" },
      ...(said === undefined
        ? []
        : [block(scope === "project" ? inProject(place, "AGENTS.md") : inHome(place, ".gemini", "GEMINI.md"), said)]),
      ...(skill === undefined ? [] : [whole(`${skills}/askbox/SKILL.md`, skill.skill)]),
    ];
  },
};
