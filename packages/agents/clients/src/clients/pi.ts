import { authorization, chosen, inProject, stdio } from "./parts.ts";
import { plainClient } from "./plain.ts";

const longest = 1_800;

export const pi = plainClient({
  title: "Pi",
  programs: ["pi"],
  folder: (system, scope) => (scope === "project" ? inProject(system, ".pi") : chosen(system, "PI_CODING_AGENT_DIR", ".pi", "agent")),
  file: ["mcp.json"],
  list: ["mcpServers"],
  raisedTo: longest,
  server: (reach) => ({
    ...(reach.kind === "stdio" ? stdio(reach) : { url: reach.url, headers: authorization(reach, (name) => `\${${name}}`) }),
    // By default, a model only finds a server's tools by searching for them.
    exposure: "direct",
    timeout: longest,
  }),
  skills: true,
  notes: ({ scope }) => (scope === "project" ? ["Pi reads a project's servers only where you have trusted the project."] : []),
});
