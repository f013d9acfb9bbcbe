import { tokenVariable } from "../client.ts";
import { chosen, inProject, stdio } from "./parts.ts";
import { plainClient } from "./plain.ts";

const longest = 1_800;

export const kimiCode = plainClient({
  title: "Kimi Code",
  programs: ["kimi"],
  folder: (system, scope) => (scope === "project" ? inProject(system, ".kimi-code") : chosen(system, "KIMI_CODE_HOME", ".kimi-code")),
  file: ["mcp.json"],
  list: ["mcpServers"],
  raisedTo: longest,
  server: (reach) => ({
    ...(reach.kind === "stdio" ? stdio(reach) : { url: reach.url, bearerTokenEnvVar: tokenVariable }),
    toolTimeoutMs: longest * 1_000,
  }),
  own: "AskUserQuestion",
  skills: true,
  notes: ({ scope }) => [
    // Its rules in config.toml change nothing in this, in version 2.1.0.
    "In its manual mode, Kimi Code asks you before it calls ask_user; approve it for the session.",
    ...(scope === "project" ? ["Kimi Code starts a project's servers only in a folder that you trust."] : []),
  ],
});
