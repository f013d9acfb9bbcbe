import { authorization, block, inHome, inProject, stdio, whole } from "./parts.ts";
import { plainClient } from "./plain.ts";

const longest = 1_800;

/** Cline's command line. Its extension for VS Code has a list of its own, in the editor's storage. */
export const cline = plainClient({
  title: "Cline",
  programs: ["cline"],
  folder: (system, scope) => (scope === "project" ? undefined : inHome(system, ".cline")),
  file: ["data", "settings", "cline_mcp_settings.json"],
  list: ["mcpServers"],
  raisedTo: longest,
  tokenFromEnvironment: false,
  server: (reach) => ({
    ...(reach.kind === "stdio"
      ? stdio(reach)
      : {
          type: reach.kind === "sse" ? "sse" : "streamableHttp",
          url: reach.url,
          headers: authorization(reach, (name) => `$${name}`),
        }),
    timeout: longest,
  }),
  own: "ask_question",
  words: (system, scope, text) =>
    scope === "project" ? block(inProject(system, "AGENTS.md"), text) : whole(inHome(system, ".cline", "rules", "askbox.md"), `${text}\n`),
});
