import { authorization, block, inHome, inProject, stdio } from "./parts.ts";
import { plainClient } from "./plain.ts";

const longest = 1_800;

export const qwenCode = plainClient({
  title: "Qwen Code",
  programs: ["qwen"],
  folder: (system, scope) => (scope === "project" ? inProject(system, ".qwen") : inHome(system, ".qwen")),
  file: ["settings.json"],
  list: ["mcpServers"],
  raisedTo: longest,
  server: (reach) => ({
    ...(reach.kind === "stdio"
      ? stdio(reach)
      : { [reach.kind === "sse" ? "url" : "httpUrl"]: reach.url, headers: authorization(reach, (name) => `$${name}`) }),
    // Without these two, its tool search hides the tools, and nobody can use them headless.
    alwaysLoadTools: true,
    trust: true,
    timeout: longest * 1_000,
  }),
  own: "ask_user_question",
  words: (system, scope, text) => block(scope === "project" ? inProject(system, "QWEN.md") : inHome(system, ".qwen", "QWEN.md"), text),
  skills: true,
  notes: ({ scope }) =>
    scope === "project" ? ["Qwen Code starts a project's servers once you approve them: qwen mcp approve askbox."] : [],
});
