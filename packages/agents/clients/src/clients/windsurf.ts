import { defaultTool } from "@askbox/mcp";
import type { ClientSettings } from "../client.ts";
import { entryName } from "../client.ts";
import type { JsonObject } from "../json.ts";
import { authorization, block, entry, inHome, refuseExclusive, refuseHooks, spoken, stdio } from "./parts.ts";

export const windsurf: ClientSettings = {
  signs: (system) => ({ programs: ["windsurf"], folders: [inHome(system, ".codeium", "windsurf")] }),
  tools: [defaultTool],
  tokenFromEnvironment: true,
  file: (system, scope) => (scope === "project" ? undefined : inHome(system, ".codeium", "windsurf", "mcp_config.json")),
  entryAt: () => ["mcpServers", entryName],
  changes(setup, file) {
    refuseExclusive(setup, "Windsurf");
    refuseHooks(setup, "Windsurf");
    const { system, reach } = setup;
    const server: JsonObject =
      reach.kind === "stdio" ? stdio(reach) : { serverUrl: reach.url, headers: authorization(reach, (name) => `\${env:${name}}`) };
    const said = spoken(setup, undefined);
    return [
      { path: file, format: "jsonc", changes: [entry(["mcpServers", entryName], server)] },
      ...(said === undefined ? [] : [block(inHome(system, ".codeium", "windsurf", "memories", "global_rules.md"), said)]),
    ];
  },
};
