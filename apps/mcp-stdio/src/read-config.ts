import { homeFolders, loadConfig } from "@askbox/home";

/** The config's timeout in ms. Throws `VALIDATION` if the file is not valid. */
export function readTimeout(env: NodeJS.ProcessEnv): number {
  // The variables were already checked; an invalid one must not make the file unusable.
  const { ASKBOX_TIMEOUT: _looked, CN_MCP_TIMEOUT: _lookedToo, ...rest } = env;
  return loadConfig({ folders: homeFolders({ env }), env: rest }).config.timeout;
}
