import { defaultTool } from "@askbox/mcp";
import type { ClientSettings, Place } from "../client.ts";
import { entryName } from "../client.ts";
import type { JsonObject } from "../json.ts";
import { authorization, block, entry, inConfig, inHome, inProject, join, refuseExclusive, refuseHooks, spoken, stdio } from "./parts.ts";

/** Seconds; otherwise Zed times out after 60. */
const longest = 1_800;

function folder(place: Place): string {
  if (place.platform === "win32") return join(place, place.env["APPDATA"] || inHome(place, "AppData", "Roaming"), "Zed");
  return place.platform === "darwin" ? inHome(place, ".config", "zed") : inConfig(place, "zed");
}

export const zed: ClientSettings = {
  signs: (place) => ({ programs: ["zed", "zeditor"], folders: [folder(place)] }),
  tools: [defaultTool],
  raisedTo: longest,
  tokenFromEnvironment: false,
  file: (place, scope) => (scope === "project" ? inProject(place, ".zed", "settings.json") : join(place, folder(place), "settings.json")),
  entryAt: () => ["context_servers", entryName],
  changes(setup, file) {
    refuseExclusive(setup, "Zed");
    refuseHooks(setup, "Zed");
    const { scope, place, reach } = setup;
    const server: JsonObject =
      reach.kind === "stdio" ? stdio(reach) : { url: reach.url, headers: authorization(reach, (name) => `$${name}`) };
    const said = spoken(setup, undefined);
    return [
      {
        path: file,
        format: "jsonc",
        changes: [entry(["context_servers", entryName], { ...server, timeout: longest })],
        holdsToken: reach.kind !== "stdio",
      },
      ...(said === undefined
        ? []
        : [block(scope === "project" ? inProject(place, "AGENTS.md") : join(place, folder(place), "AGENTS.md"), said)]),
    ];
  },
};
