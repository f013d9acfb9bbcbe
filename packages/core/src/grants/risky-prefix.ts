import { wordsOfPlainCommand } from "./plain-command.ts";

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
