import { localOrRemote } from "./opencode.ts";
import { inConfig, inProject } from "./parts.ts";
import { jsonOrJsonc, type PlainClient, plainClient } from "./plain.ts";

const longest = 1_800;
const folder: PlainClient["folder"] = (system, scope) => (scope === "project" ? inProject(system, ".kilo") : inConfig(system, "kilo"));

/** Kilo Code is built on OpenCode. */
export const kiloCode = plainClient({
  title: "Kilo Code",
  programs: ["kilo", "kilocode"],
  folder,
  file: jsonOrJsonc(folder, "kilo"),
  list: ["mcp"],
  raisedTo: longest,
  server: (reach) => ({ ...localOrRemote(reach), enabled: true, timeout: longest * 1_000 }),
  own: "question",
  skills: true,
});
