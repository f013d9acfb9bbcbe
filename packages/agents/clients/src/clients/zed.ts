import { defaultTool } from "@askbox/mcp";
import type { ClientSettings, System } from "../client.ts";
import { entryName } from "../client.ts";
import type { JsonObject } from "../json.ts";
import { authorization, block, entry, inConfig, inHome, inProject, join, refuseExclusive, refuseHooks, spoken, stdio } from "./parts.ts";

/** Seconds; otherwise Zed times out after 60. */
const longest = 1_800;

function folder(system: System): string {
  if (system.platform === "win32") return join(system, system.env["APPDATA"] || inHome(system, "AppData", "Roaming"), "Zed");
  return system.platform === "darwin" ? inHome(system, ".config", "zed") : inConfig(system, "zed");
}

export const zed: ClientSettings = {
  signs: (system) => ({ programs: ["zed", "zeditor"], folders: [folder(system)] }),
  tools: [defaultTool],
  raisedTo: longest,
  tokenFromEnvironment: false,
  file: (system, scope) =>
    scope === "project" ? inProject(system, ".zed", "settings.json") : join(system, folder(system), "settings.json"),
  entryAt: () => ["context_servers", entryName],
  changes(setup, file) {
    refuseExclusive(setup, "Zed");
    refuseHooks(setup, "Zed");
    const { scope, system, reach } = setup;
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
        : [block(scope === "project" ? inProject(system, "AGENTS.md") : join(system, folder(system), "AGENTS.md"), said)]),
    ];
  },
};
