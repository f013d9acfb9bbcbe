import * as z from "zod";
import { AskboxError } from "../errors.ts";
import type { Grant } from "../ports/grants.ts";
import { projectSchema } from "../session/asker-info.ts";
import { limits } from "../session/limits.ts";
import type { Answerer } from "../session/outcome.ts";
import { grantDurations } from "../session/questions/grant-value.ts";

/** Characters without a special meaning in every shell, outside of quotes. */
const plain = /^[A-Za-z0-9_@%+:,./=-]$/;
/** Deceptive characters: control characters, everything that is invisible or changes the text direction, and quotes that end a text in PowerShell. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2018-\u201f]/u;
const blank = /^[ \t]$/;

/**
 * The words of a command that is one plain program with its arguments; undefined for anything else. Much stricter than a shell: anything
 * that joins commands, substitutes, redirects, expands, escapes or sets a variable is not a plain command, and neither is anything with
 * another meaning in some shell.
 */
export function wordsOfPlainCommand(command: string): string[] | undefined {
  if (hidden.test(command.replaceAll("\t", " "))) return undefined;
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const char of command) {
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else if (quote === '"' && /["$`\\!]/.test(char)) return undefined;
      else word = (word ?? "") + char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (blank.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (plain.test(char)) word = (word ?? "") + char;
    else return undefined;
  }
  if (quote !== undefined) return undefined;
  if (word !== undefined) words.push(word);
  const [program] = words;
  // A first word with an equals sign sets a variable, which can change what any program does.
  return program === undefined || program === "" || program.includes("=") ? undefined : words;
}

/** Whether a plain command begins with all words of the prefix, compared as whole words. */
export function beginsWith(command: string, prefix: string): boolean {
  const wanted = wordsOfPlainCommand(prefix);
  const words = wordsOfPlainCommand(command);
  return wanted !== undefined && words !== undefined && startsWith(words, wanted);
}

export const startsWith = (words: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((word, index) => words[index] === word);

/** Why a prefix that begins with a program allows more than it says. */
export type PrefixRisk = "runs-code" | "runs-programs" | "removes";

/** Programs by what a command that begins with them can do. */
const programs: Readonly<Record<PrefixRisk, string>> = {
  "runs-code":
    "sh bash dash zsh ksh fish csh tcsh ash busybox pwsh powershell cmd python pypy node nodejs deno bun tsx ruby perl php lua tclsh osascript rscript awk gawk psql sqlite",
  "runs-programs":
    "sudo doas su env exec eval command nohup nice time timeout watch xargs parallel find ssh npx pnpx bunx uvx docker podman kubectl make wsl start",
  removes: "rm rmdir del erase rd unlink shred srm trash dd truncate mkfs wipefs",
};

/** Programs that remove files. */
export const programsThatRemove: ReadonlySet<string> = new Set(programs.removes.split(" "));

const risks: ReadonlyMap<string, PrefixRisk> = new Map(
  (["runs-code", "runs-programs", "removes"] as const).flatMap((risk) => programs[risk].split(" ").map((name) => [name, risk] as const)),
);

/**
 * The risk of allowing every command that begins with this prefix, and its program; undefined for a program that is not known for one. A
 * shell or interpreter with a script's name, such as `node build.js`, runs only that script.
 */
export function prefixRisk(prefix: string): { program: string; risk: PrefixRisk } | undefined {
  const [program = "", next] = wordsOfPlainCommand(prefix) ?? [];
  // `/usr/bin/python3.12` and `Bash.EXE` are python and bash.
  const name = (program.toLowerCase().split("/").at(-1) ?? "").replace(/\.exe$/, "");
  const risk = risks.get(name) ?? risks.get(withoutVersion(name));
  if (risk === undefined || (risk === "runs-code" && next !== undefined && !/^[-/]/.test(next))) return undefined;
  return { program, risk };
}

function withoutVersion(name: string): string {
  let end = name.length;
  while (end > 0 && "0123456789.".includes(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
}

/** What a person enters to grant commands by their first words. */
export const grantWishSchema = z.object({
  /** The first words of a plain command. */
  prefix: z.string().min(1).max(500),
  /** The client whose agents may run it, such as `claude-code`. */
  client: z.string().min(1).max(200),
  /** The project folder's absolute path. */
  project: projectSchema.min(1),
  /** The machine that the folder is on, if not the hub's own. */
  machine: z.string().min(1).max(limits.asker.machine).optional(),
  /** Milliseconds, from a minute to 30 days. */
  duration: z.number().min(grantDurations.min).max(grantDurations.max).default(grantDurations.default),
});
/** A person's grant for commands that begin with a prefix. */
export type GrantWish = z.input<typeof grantWishSchema>;

/** A grant for plain commands that begin with a prefix; `owner`: whose asks its machine's are. Throws `VALIDATION` for a prefix that no plain command can have. */
export function prefixGrant(
  wish: z.output<typeof grantWishSchema>,
  { id, by, now, owner }: { id: string; by: Answerer; now: number; owner?: string | undefined },
): Grant {
  const { prefix, client, project, machine, duration } = wish;
  const words = wordsOfPlainCommand(prefix);
  if (words === undefined) {
    throw new AskboxError(
      "VALIDATION",
      "A prefix is a plain command's first words: one that joins, substitutes, redirects, expands or sets a variable matches nothing.",
    );
  }
  return {
    id,
    scope: "project",
    client,
    project,
    ...(machine !== undefined && { machine, owner }),
    kind: "command",
    by,
    match: { type: "prefix", prefix },
    shown: `${prefix} …`,
    createdAt: now,
    expiresAt: now + duration,
  };
}
