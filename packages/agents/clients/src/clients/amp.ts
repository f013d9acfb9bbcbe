import { authorization, inConfig, inHome, inProject, stdio } from "./parts.ts";
import { jsonOrJsonc, type PlainClient, plainClient } from "./plain.ts";

/** The same folder on Windows. */
const folder: PlainClient["folder"] = (system, scope) =>
  scope === "project"
    ? inProject(system, ".amp")
    : system.platform === "win32"
      ? inHome(system, ".config", "amp")
      : inConfig(system, "amp");

export const amp = plainClient({
  title: "Amp",
  programs: ["amp"],
  folder,
  file: jsonOrJsonc(folder, "settings"),
  list: ["amp.mcpServers"],
  server: (reach) => (reach.kind === "stdio" ? stdio(reach) : { url: reach.url, headers: authorization(reach, (name) => `\${${name}}`) }),
  notes: ({ scope }) => (scope === "project" ? ["Amp asks you to approve a project's servers."] : []),
});
