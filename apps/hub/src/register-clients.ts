import { existsSync } from "node:fs";
import type { Log } from "@askbox/core";
import type { Config, HomeFiles, HomeFolders } from "@askbox/home";

export interface RegisterClientsOptions {
  config: Config;
  folders: HomeFolders;
  files: HomeFiles;
  env: Readonly<Record<string, string | undefined>>;
  /** The program and arguments that run `askbox`. */
  askboxCommand: readonly string[];
  log: Log;
}

/** Enters askbox in the settings of the clients that the config names, and in no others. Nothing is loaded where there is nothing to do. */
export async function registerClients({ config, folders, files, env, askboxCommand, log }: RegisterClientsOptions): Promise<void> {
  if (config.autoRegister.length === 0 && !existsSync(files.clients)) return;
  const { autoRegister, placeOf } = await import("@askbox/clients");
  autoRegister({ names: config.autoRegister, files, place: placeOf({ env, project: folders.data }), launch: askboxCommand, log });
}
