import { entryName, type System, tokenVariable } from "../client.ts";
import type { JsonObject } from "../json.ts";
import { authorization, block, inConfig, inHome, inProject, join } from "./parts.ts";
import { plainClient } from "./plain.ts";

const longest = 1_800;

const folder = (system: System) =>
  system.platform === "win32"
    ? join(system, system.env["APPDATA"] || inHome(system, "AppData", "Roaming"), "Block", "goose", "config")
    : inConfig(system, "goose");

/** Goose calls a server an extension. */
export const goose = plainClient({
  title: "Goose",
  programs: ["goose"],
  folder: (system, scope) => (scope === "project" ? undefined : folder(system)),
  file: ["config.yaml"],
  list: ["extensions"],
  raisedTo: longest,
  server(reach): JsonObject {
    const shared = { enabled: true, name: entryName, description: "Asks the person you work for", timeout: longest };
    if (reach.kind !== "stdio") {
      const headers = authorization(reach, (name) => `$${name}`);
      return { ...shared, type: "streamable_http", uri: reach.url, headers, env_keys: [tokenVariable] };
    }
    return { ...shared, type: "stdio", cmd: reach.command, args: [...reach.args], envs: { ...reach.env }, env_keys: [] };
  },
  words: (system, scope, text) =>
    block(scope === "project" ? inProject(system, "AGENTS.md") : join(system, folder(system), ".goosehints"), text),
});
