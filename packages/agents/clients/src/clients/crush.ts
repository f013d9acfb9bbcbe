import { entryName, type System } from "../client.ts";
import type { JsonObject } from "../json.ts";
import { authorization, block, inConfig, include, inHome, inProject, join, stdio } from "./parts.ts";
import { plainClient } from "./plain.ts";

const folder = (system: System) =>
  system.platform === "win32"
    ? join(system, system.env["LOCALAPPDATA"] || inHome(system, "AppData", "Local"), "crush")
    : inConfig(system, "crush");

export const crush = plainClient({
  title: "Crush",
  programs: ["crush"],
  folder: (system, scope) => (scope === "project" ? system.project : folder(system)),
  file: (_system, scope) => [scope === "project" ? ".crush.json" : "crush.json"],
  list: ["mcp"],
  server: (reach): JsonObject =>
    reach.kind === "stdio"
      ? { type: "stdio", ...stdio(reach) }
      : { type: reach.kind, url: reach.url, headers: authorization(reach, (name) => `$${name}`) },
  also: ({ tools }) =>
    [...tools, "get_answer", "get_files"].map((tool) => include(["permissions", "allowed_tools"], `mcp_${entryName}_${tool}`)),
  words: (system, scope, text) =>
    block(scope === "project" ? inProject(system, "AGENTS.md") : join(system, folder(system), "CRUSH.md"), text),
});
