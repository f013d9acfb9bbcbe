import { defaultTool } from "@askbox/mcp";
import { type ClientSettings, entryName, type Reach, type Scope, type Setup, type System } from "../client.ts";
import type { Change } from "../formats/format.ts";
import type { JsonObject } from "../json.ts";
import { type FileChange, formatOf } from "../plan.ts";
import { block, entry, inProject, join, refuseExclusive, refuseHooks, spoken, whole } from "./parts.ts";

/** A client that is set up with nothing but an entry, a text for its agent and a skill: only what is its own. */
export interface PlainClient {
  title: string;
  programs: readonly string[];
  /** Its folder for a scope; undefined if it has none. */
  folder(system: System, scope: Scope): string | undefined;
  /** Its file with servers, below the folder. */
  file: readonly string[] | ((system: System, scope: Scope) => readonly string[]);
  /** Where the servers are in it. */
  list: readonly string[];
  server(reach: Reach): JsonObject;
  /** Seconds; absent if it has no setting for that. */
  raisedTo?: number;
  /** Default true. */
  tokenFromEnvironment?: boolean;
  /** What it needs in the same file besides the entry. */
  also?(setup: Setup): readonly Change[];
  /** Its own tool for questions. */
  own?: string;
  /** The text that its agents always read. Default: a block in the project's AGENTS.md, or in that of its folder. */
  words?(system: System, scope: Scope, text: string): FileChange;
  /** Whether it reads skills from `skills` in its folder; otherwise the text says it all. */
  skills?: true;
  notes?(setup: Setup): string[];
}

/** Of a JSON file and its `.jsonc`, the one that is there; the plain one if both or neither are. */
export const jsonOrJsonc =
  (folder: PlainClient["folder"], name: string): Exclude<PlainClient["file"], readonly string[]> =>
  (system, scope) => {
    const has = (file: string) => system.exists(join(system, folder(system, scope) ?? "", file));
    return [has(`${name}.jsonc`) && !has(`${name}.json`) ? `${name}.jsonc` : `${name}.json`];
  };

export function plainClient(client: PlainClient): ClientSettings {
  const { title, programs, folder, file, list, server, raisedTo, tokenFromEnvironment = true, also, own, words, skills, notes } = client;
  const at = [...list, entryName];
  const fileOf = (system: System, scope: Scope): string | undefined => {
    const place = folder(system, scope);
    return place === undefined ? undefined : join(system, place, ...(typeof file === "function" ? file(system, scope) : file));
  };
  const wordsIn = (system: System, scope: Scope, text: string): FileChange =>
    words?.(system, scope, text) ??
    block(scope === "project" ? inProject(system, "AGENTS.md") : join(system, folder(system, scope) ?? "", "AGENTS.md"), text);
  return {
    signs: (system) => ({ programs, folders: [folder(system, "user") ?? ""] }),
    tools: [defaultTool],
    ...(raisedTo !== undefined && { raisedTo }),
    tokenFromEnvironment,
    file: fileOf,
    entryAt: () => at,
    changes(setup, path) {
      refuseExclusive(setup, title);
      refuseHooks(setup, title);
      const { scope, system, reach, skill } = setup;
      const place = skills && folder(system, scope);
      const said = spoken(place === undefined ? setup : { ...setup, skill: undefined }, own);
      return [
        {
          path,
          format: formatOf(path),
          changes: [entry(at, server(reach)), ...(also?.(setup) ?? [])],
          holdsToken: reach.kind !== "stdio" && !tokenFromEnvironment,
        },
        ...(said === undefined ? [] : [wordsIn(system, scope, said)]),
        ...(skill === undefined || place === undefined ? [] : [whole(join(system, place, "skills", "askbox", "SKILL.md"), skill.skill)]),
      ];
    },
    ...(notes !== undefined && { notes }),
  };
}
