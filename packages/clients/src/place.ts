import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Client, Place } from "./client.ts";
import { readSettingsFile } from "./files/settings-file.ts";
import { formats } from "./plan.ts";

/** This machine, seen from a project's folder. */
export function placeOf({ env, project }: { env: Place["env"]; project: string }): Place {
  const { platform } = process;
  return {
    platform,
    env,
    project,
    home: (platform === "win32" ? env["USERPROFILE"] : env["HOME"]) || homedir(),
    exists: (path) => existsSync(path),
    settings(path) {
      try {
        return formats[path.endsWith(".toml") ? "toml" : "jsonc"].parse(readSettingsFile(path).text);
      } catch {
        // The code that changes it reports what is wrong with it.
        return undefined;
      }
    },
  };
}

/** Whether the client seems to be installed on this machine. */
export function isFound(client: Client, place: Place): boolean {
  const { programs, folders } = client.signs(place);
  const names = place.platform === "win32" ? programs.flatMap((name) => [`${name}.exe`, `${name}.cmd`]) : programs;
  const onPath = (place.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => place.exists(folder)) || onPath.some((folder) => names.some((name) => place.exists(join(folder, name))));
}
