import type { Ran } from "../ports/ran.ts";
import { reaches } from "../session/questions/constants.ts";
import type { Action } from "../session/questions/schemas.ts";
import { cut } from "../texts.ts";
import { programsThatRemove } from "./prefixes.ts";

/** What an action reaches. */
export type Reach = (typeof reaches)[number];

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const [reachNetwork, write] = [
  words("curl wget ssh scp sftp rsync nc ncat telnet ftp ping dig nslookup gh glab aws gcloud az kubectl helm"),
  words("tee mv cp mkdir touch ln chmod chown patch install"),
];
/** Programs that reach the network for some of what they do, and their words for that. */
const [managers, ofNetwork] = [
  words("git npm pnpm yarn bun pip pip3 uv cargo go gem brew apt apt-get dnf apk docker podman"),
  words("clone fetch pull push install add i ci update upgrade publish get download login"),
];
/** Programs that only start what follows them. */
const before = words("sudo doas env command exec nohup time xargs npx bash sh zsh dash -c -lc");

/** More of a command is not looked at. */
const looked = 20_000;

/** What an action reaches, as far as it says so: by its kind, or by the programs of its command, the gravest first. */
export function reachOf({ kind, command, tool }: Action): Reach[] {
  if (command === undefined) return kind === "edit" ? ["writes"] : kind === "fetch" || tool === "WebSearch" ? ["network"] : [];
  const found = new Set<Reach>();
  const text = command.slice(0, looked);
  // linear: after a `>`, each blank is looked at once.
  if (/(?<![<>=&-])>{1,2}(?!\s*(?:&|\/dev\/null))/.test(text)) found.add("writes");
  for (const part of text.replaceAll(/["'\\]/g, " ").split(/[;&|\n()`]/)) {
    const all = part.split(/\s+/).filter((word) => word !== "");
    const at = all.findIndex((word) => !before.has(word) && !/^\w+=/.test(word));
    const program = (all[at] ?? "").split("/").at(-1) ?? "";
    const rest = at < 0 ? [] : all.slice(at + 1);
    if (programsThatRemove.has(program) || (program === "git" && rest[0] === "clean") || (program === "find" && rest.includes("-delete")))
      found.add("deletes");
    if (reachNetwork.has(program) || (managers.has(program) && rest.some((word) => ofNetwork.has(word)))) found.add("network");
    if (write.has(program) || (program === "sed" && rest.some((word) => word.startsWith("-i")))) found.add("writes");
  }
  return reaches.filter((reach) => found.has(reach));
}

const maxShown = 1_000;

/** What of an action is kept once it has run, shortened. */
export function ranParts(action: Action): Pick<Ran, "kind" | "tool" | "what" | "cwd" | "reach"> {
  const { kind, tool, command, path, text, diff, input, inputJson, cwd } = action;
  const what = command ?? path ?? text ?? diff ?? inputJson ?? JSON.stringify(input ?? {});
  return {
    kind,
    ...(tool !== undefined && { tool: cut(tool, 200) }),
    what: cut(what, maxShown),
    ...(cwd !== undefined && { cwd: cut(cwd, maxShown) }),
    reach: reachOf(action),
  };
}
