import { existsSync } from "node:fs";
import type { Log } from "@askbox/core";
import { homeFiles, homeFolders } from "@askbox/home";
import { isTimeout } from "./options.ts";

/**
 * The timeout of asks without one, in ms: from the flag, the environment, or the config file; undefined for the contract's own. The config
 * is only loaded if it exists, since a client is waiting for the list of tools.
 */
export async function defaultTimeout(flag: number | undefined, env: NodeJS.ProcessEnv, log: Log): Promise<number | undefined> {
  if (flag !== undefined) return flag;
  // Also by its alias, from the design that the tool's contract comes from.
  const name = env["ASKBOX_TIMEOUT"] ? "ASKBOX_TIMEOUT" : "CN_MCP_TIMEOUT";
  const given = env[name];
  if (given) {
    if (isTimeout(Number(given))) return Number(given);
    log("warn", `${name} is not a whole number of milliseconds from 10000 to 1800000; it is ignored`);
  }
  const folders = homeFolders({ env });
  if (!existsSync(homeFiles(folders).config)) return undefined;
  try {
    const { readTimeout } = await import("./read-config.ts");
    return readTimeout(env);
  } catch (error) {
    log("warn", error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
