import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";

/** The command for this script in the user's own terminal. Folders that a package manager adds to the PATH of its scripts don't count. */
export function installedCommand(script: string, path: string): string | undefined {
  const first = ownFolders(path)
    .map((folder) => join(folder, "askbox"))
    .find(isExecutable);
  return first !== undefined && realpathSync(first) === realpathSync(script) ? first : undefined;
}

/** A program on the user's own PATH. */
export function ownProgram(name: string, path: string): string | undefined {
  return ownFolders(path)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** The launcher that a package manager created next to the package. */
export function launcherOf(script: string, platform: NodeJS.Platform): string | undefined {
  const name = platform === "win32" ? "askbox.cmd" : "askbox";
  for (let folder = dirname(script); folder !== dirname(folder); folder = dirname(folder)) {
    const launcher = join(folder, "node_modules", ".bin", name);
    if (existsSync(launcher)) return launcher;
  }
  return undefined;
}

function ownFolders(path: string): string[] {
  return path
    .split(delimiter)
    .filter(
      (folder) =>
        folder !== "" && !folder.endsWith(`${sep}.bin`) && !folder.includes("node-gyp-bin") && !folder.includes(`${sep}_npx${sep}`),
    );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
