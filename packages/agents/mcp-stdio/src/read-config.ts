import { type Config, homeFolders, loadConfig } from "@askbox/home";

/** The settings. Throws `VALIDATION` if they are not valid. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return loadConfig({ folders: homeFolders({ env }), env }).config;
}
