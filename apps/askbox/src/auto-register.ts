import { existsSync } from "node:fs";
import type { Log } from "@askbox/core";
import { ownCommand } from "./hub-command.ts";

/** Adds askbox to the settings of the clients named in the config. Loads nothing if there are none. */
export async function autoRegister(env: NodeJS.ProcessEnv, log: Log): Promise<void> {
  const { homeFiles, homeFolders } = await import("@askbox/home/environment");
  const folders = homeFolders({ env });
  const files = homeFiles(folders);
  if (!existsSync(files.config) && !existsSync(files.clients)) return;
  const { loadConfig } = await import("@askbox/home");
  const names = loadConfig({ folders, env }).config.autoRegister;
  if (names.length === 0 && !existsSync(files.clients)) return;
  const { autoRegister, systemOf } = await import("@askbox/clients");
  autoRegister({ names, files, system: systemOf({ env, project: folders.data }), launch: ownCommand(), log });
}
