import { existsSync } from "node:fs";
import type { Log } from "@askbox/core";
import type { Config, HomeFiles, HomeFolders } from "@askbox/home";

export interface RegisterClientsOptions {
  config: Config;
  folders: HomeFolders;
  files: HomeFiles;
  env: Readonly<Record<string, string | undefined>>;
  /** The command line that runs `askbox`. */
  askboxCommand: readonly string[];
  log: Log;
}

/** Adds askbox to the settings of the clients listed in the config, and no others. Loads nothing if there is nothing to do. */
export async function registerClients({ config, folders, files, env, askboxCommand, log }: RegisterClientsOptions): Promise<void> {
  if (config.autoRegister.length === 0 && !existsSync(files.clients)) return;
  const { autoRegister, systemOf } = await import("@askbox/clients");
  autoRegister({ names: config.autoRegister, files, system: systemOf({ env, project: folders.data }), launch: askboxCommand, log });
}
