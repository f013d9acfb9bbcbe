import { homeFolders, loadConfig } from "@askbox/home";

/** The config's timeout in ms. Throws `VALIDATION` if the file is not valid. */
export function readTimeout(env: NodeJS.ProcessEnv): number {
  return loadConfig({ folders: homeFolders({ env }), env }).config.timeout;
}
