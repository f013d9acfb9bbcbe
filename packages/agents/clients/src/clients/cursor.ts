import { defaultTool } from "@askbox/mcp";
import type { ClientSettings } from "../client.ts";
import { entryName } from "../client.ts";
import { authorization, entry, inHome, inProject, refuseExclusive, refuseHooks, spoken, stdio, unsupported, whole } from "./parts.ts";

export const cursor: ClientSettings = {
  signs: (system) => ({ programs: ["cursor", "cursor-agent"], folders: [inHome(system, ".cursor")] }),
  tools: [defaultTool],
  tokenFromEnvironment: true,
  file: (system, scope) => (scope === "project" ? inProject(system, ".cursor", "mcp.json") : inHome(system, ".cursor", "mcp.json")),
  entryAt: () => ["mcpServers", entryName],
  changes(setup, file) {
    refuseExclusive(setup, "Cursor");
    refuseHooks(setup, "Cursor");
    const { scope, system, reach, skill } = setup;
    const server = reach.kind === "stdio" ? stdio(reach) : { url: reach.url, headers: authorization(reach, (name) => `\${env:${name}}`) };
    const said = spoken({ ...setup, skill: undefined }, undefined);
    if (said !== undefined && scope === "user") {
      throw unsupported("Cursor doesn't keep personal rules in a file; use --prefer with --scope project.");
    }
    const skills = scope === "project" ? inProject(system, ".cursor", "skills") : inHome(system, ".cursor", "skills");
    return [
      { path: file, format: "jsonc", changes: [entry(["mcpServers", entryName], server)] },
      ...(said === undefined
        ? []
        : [whole(inProject(system, ".cursor", "rules", "askbox.mdc"), `---\nalwaysApply: true\n---\n\n${said}\n`)]),
      ...(skill === undefined ? [] : [whole(`${skills}/askbox/SKILL.md`, skill.skill)]),
    ];
  },
};
