import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { userHome } from "@askbox/home";
import type { Client, System } from "./client.ts";
import { readSettingsFile } from "./files/settings-file.ts";
import { formats } from "./plan.ts";

/** This machine, seen from a project's folder. */
export function systemOf({ env, project }: { env: System["env"]; project: string }): System {
  const { platform } = process;
  return {
    platform,
    env,
    project,
    home: userHome({ env, platform }),
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
export function isFound(client: Client, system: System): boolean {
  const { programs, folders } = client.signs(system);
  const names = system.platform === "win32" ? programs.flatMap((name) => [`${name}.exe`, `${name}.cmd`]) : programs;
  const onPath = (system.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return (
    folders.some((folder) => system.exists(folder)) || onPath.some((folder) => names.some((name) => system.exists(join(folder, name))))
  );
}
