import { defaultTool } from "@askbox/mcp";
import type { ClientSettings, Place } from "../client.ts";
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
function folder(place: Place): string {
  if (place.platform === "win32") return join(place, place.env["APPDATA"] || inHome(place, "AppData", "Roaming"), "Code", "User");
  if (place.platform === "darwin") return inHome(place, "Library", "Application Support", "Code", "User");
  return inConfig(place, "Code", "User");
}

/** The editor asks for it once and keeps it in its secret storage. */
const tokenInputId = "askbox-token";
const tokenInput: JsonObject = { type: "promptString", id: tokenInputId, description: "Token of the askbox hub", password: true };

export const vscode: ClientSettings = {
  signs: (place) => ({ programs: ["code"], folders: [folder(place)] }),
  tools: [defaultTool],
  tokenFromEnvironment: true,
  file: (place, scope) => (scope === "project" ? inProject(place, ".vscode", "mcp.json") : join(place, folder(place), "mcp.json")),
  entryAt: () => ["servers", entryName],
  changes(setup, file) {
    refuseExclusive(setup, "VS Code");
    refuseHooks(setup, "VS Code");
    const { scope, place, reach, skill } = setup;
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
    const skills = scope === "project" ? inProject(place, ".github", "skills") : inHome(place, ".copilot", "skills");
    return [
      { path: file, format: "jsonc", changes },
      ...(said === undefined
        ? []
        : scope === "project"
          ? [block(inProject(place, ".github", "copilot-instructions.md"), said)]
          : [whole(join(place, folder(place), "prompts", "askbox.instructions.md"), `---\napplyTo: "**"\n---\n\n${said}\n`)]),
      ...(skill === undefined ? [] : [whole(join(place, skills, "askbox", "SKILL.md"), skill.skill)]),
    ];
  },
  notes: ({ reach }) => (reach.kind === "stdio" ? [] : ["VS Code asks you for the hub's token when it first connects."]),
};
