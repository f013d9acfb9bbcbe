import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve, sep } from "node:path";

interface Host {
  argv: readonly string[];
  execPath: string;
  execArgv: readonly string[];
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * How a person types this very command in another terminal, in any folder: by name where it is installed, else by the path of the
 * launcher beside it, else through Node.
 */
export function copyableCommand(host: Host): string {
  const script = resolve(host.argv[1] ?? "askbox");
  if (host.platform !== "win32" && isInstalled(script, host.env["PATH"] ?? "")) return "askbox";
  const launcher = host.execArgv.length === 0 ? launcherOf(script, host.platform) : undefined;
  return launcher === undefined ? [host.execPath, ...host.execArgv, script].map(quote).join(" ") : quote(launcher);
}

/** Puts a setting before a command line, as the platform's usual shell wants it. */
export function withSetting(name: string, value: string, line: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? `$env:${name}='${value}'; ${line}` : `${name}=${quote(value)} ${line}`;
}

/** Whether the PATH of a person's own terminal has this script as `askbox`. What a package manager adds for its scripts does not count. */
function isInstalled(script: string, path: string): boolean {
  const folders = path
    .split(delimiter)
    .filter((folder) => folder !== "" && !folder.endsWith(`${sep}.bin`) && !folder.includes("node-gyp-bin"));
  const first = folders.map((folder) => join(folder, "askbox")).find(isExecutable);
  return first !== undefined && realpathSync(first) === realpathSync(script);
}

function launcherOf(script: string, platform: NodeJS.Platform): string | undefined {
  const name = platform === "win32" ? "askbox.cmd" : "askbox";
  for (let folder = dirname(script); folder !== dirname(folder); folder = dirname(folder)) {
    const launcher = join(folder, "node_modules", ".bin", name);
    if (existsSync(launcher)) return launcher;
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function quote(word: string): string {
  return /^[\w./:=@%+\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
