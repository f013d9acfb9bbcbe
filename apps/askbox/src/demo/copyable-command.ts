import { resolve } from "node:path";
import { installedCommand, launcherOf } from "../installed-command.ts";

interface Host {
  argv: readonly string[];
  execPath: string;
  execArgv: readonly string[];
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * How to type this same command in another terminal, in any folder: by name if it is installed, otherwise by the path of the
 * launcher next to it, otherwise through Node.
 */
export function copyableCommand(host: Host): string {
  const script = resolve(host.argv[1] ?? "askbox");
  if (host.platform !== "win32" && installedCommand(script, host.env["PATH"] ?? "") !== undefined) return "askbox";
  const launcher = host.execArgv.length === 0 ? launcherOf(script, host.platform) : undefined;
  return launcher === undefined ? [host.execPath, ...host.execArgv, script].map(quote).join(" ") : quote(launcher);
}

/** Prefixes a command line with an environment variable, in the syntax of the platform's usual shell. */
export function withSetting(name: string, value: string, line: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? `$env:${name}='${value}'; ${line}` : `${name}=${quote(value)} ${line}`;
}

function quote(word: string): string {
  return /^[\w./:=@%+\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
