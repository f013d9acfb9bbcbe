import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { Environment } from "./runner.ts";

/** Whether a program can be run by this name, according to PATH (on Windows with PATHEXT). */
export function isThere(name: string, env: Environment, platform: NodeJS.Platform): boolean {
  const path = platform === "win32" ? win32 : posix;
  if (path.isAbsolute(name)) return isExecutable(name);
  const folders = (variable(env, "PATH", platform) ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const endings = platform === "win32" ? ["", ...(variable(env, "PATHEXT", platform) ?? ".EXE;.CMD;.BAT;.COM").split(";")] : [""];
  return folders.some((folder) => endings.some((ending) => isExecutable(path.join(folder, name + ending))));
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
