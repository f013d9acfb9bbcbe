import { defaultTool } from "@askbox/mcp";
import type { ClientSettings, System } from "../client.ts";
import { entryName } from "../client.ts";
import type { JsonObject } from "../json.ts";
import {
  authorization,
  block,
  entry,
  inConfig,
  include,
  inHome,
  inProject,
  join,
  refuseExclusive,
  refuseHooks,
  spoken,
  stdio,
  whole,
} from "./parts.ts";

/** The person's folder of the standard build. */
function folder(system: System): string {
  if (system.platform === "win32") return join(system, system.env["APPDATA"] || inHome(system, "AppData", "Roaming"), "Code", "User");
  if (system.platform === "darwin") return inHome(system, "Library", "Application Support", "Code", "User");
  return inConfig(system, "Code", "User");
}

/** The editor asks for it once and keeps it in its secret storage. */
const tokenInputId = "askbox-token";
const tokenInput: JsonObject = { type: "promptString", id: tokenInputId, description: "Token of the askbox hub", password: true };

export const vscode: ClientSettings = {
  signs: (system) => ({ programs: ["code"], folders: [folder(system)] }),
  tools: [defaultTool],
  tokenFromEnvironment: true,
  file: (system, scope) => (scope === "project" ? inProject(system, ".vscode", "mcp.json") : join(system, folder(system), "mcp.json")),
  entryAt: () => ["servers", entryName],
  changes(setup, file) {
    refuseExclusive(setup, "VS Code");
    refuseHooks(setup, "VS Code");
    const { scope, system, reach, skill } = setup;
    const changes =
      reach.kind === "stdio"
        ? [entry(["servers", entryName], { type: "stdio", ...stdio(reach) })]
        : [
            entry(["servers", entryName], {
              type: reach.kind,
              url: reach.url,
              headers: authorization(reach, () => `\${input:${tokenInputId}}`),
            }),
            include(["inputs"], tokenInput),
          ];
    const said = spoken({ ...setup, skill: undefined }, "vscode_askQuestions");
    const skills = scope === "project" ? inProject(system, ".github", "skills") : inHome(system, ".copilot", "skills");
    return [
      { path: file, format: "jsonc", changes },
      ...(said === undefined
        ? []
        : scope === "project"
          ? [block(inProject(system, ".github", "copilot-instructions.md"), said)]
          : [whole(join(system, folder(system), "prompts", "askbox.instructions.md"), `---\napplyTo: "**"\n---\n\n${said}\n`)]),
      ...(skill === undefined ? [] : [whole(join(system, skills, "askbox", "SKILL.md"), skill.skill)]),
    ];
  },
  notes: ({ reach }) => (reach.kind === "stdio" ? [] : ["VS Code asks you for the hub's token when it first connects."]),
};
