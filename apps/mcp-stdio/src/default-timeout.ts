import { existsSync } from "node:fs";
import type { Log } from "@askbox/core";
import { homeFiles, homeFolders } from "@askbox/home";
import { isTimeout } from "./options.ts";

/**
 * The timeout of an ask that names none, in ms: flag, then environment, then config file; undefined for the contract's own.
 * The config is loaded only where there is one, since a client waits for the list of tools meanwhile.
 */
export async function defaultTimeout(flag: number | undefined, env: NodeJS.ProcessEnv, log: Log): Promise<number | undefined> {
  if (flag !== undefined) return flag;
  // By its other name too: it is that of the design which the tool's contract comes from.
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
