import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { Environment } from "./runner.ts";

/** The program's full path according to PATH (on Windows with PATHEXT); undefined if there is none. */
export function findProgram(name: string, env: Environment, platform: NodeJS.Platform): string | undefined {
  const path = platform === "win32" ? win32 : posix;
  if (path.isAbsolute(name)) return isExecutable(name) ? name : undefined;
  const folders = (variable(env, "PATH", platform) ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const endings = platform === "win32" ? ["", ...(variable(env, "PATHEXT", platform) ?? ".EXE;.CMD;.BAT;.COM").split(";")] : [""];
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = path.join(folder, name + ending);
      if (isExecutable(candidate)) return candidate;
    }
  }
  return undefined;
}

/** Windows ignores the case of variable names. */
function variable(env: Environment, name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== "win32") return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export function isThere(program: string, env: Environment, platform: NodeJS.Platform): boolean {
  return findProgram(program, env, platform) !== undefined;
}
