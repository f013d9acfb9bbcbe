import { existsSync } from "node:fs";
import type { Log } from "@askbox/core";
import { homeFiles, homeFolders } from "@askbox/home";
import { isTimeout } from "./options.ts";

/** The variables for the timeout, the preferred one first; the second is from the design that the tool's contract comes from. */
const variables = ["ASKBOX_TIMEOUT", "CN_MCP_TIMEOUT"];

/**
 * The environment without a timeout that no ask could have, which is logged. It is the environment of everything that this server does:
 * a hub that read the variable again would not start.
 */
export function usableEnvironment(env: NodeJS.ProcessEnv, log: Log): NodeJS.ProcessEnv {
  const usable = { ...env };
  for (const name of variables) {
    if (!env[name] || isTimeout(Number(env[name]))) continue;
    log("warn", `${name} is not a whole number of milliseconds from 10000 to 1800000; it is ignored`);
    delete usable[name];
  }
  return usable;
}

/**
 * The timeout of asks without one, in ms: from the flag, a usable environment, or the config file; undefined for the contract's own. The
 * config is only loaded if it exists, since a client is waiting for the list of tools.
 */
export async function defaultTimeout(flag: number | undefined, env: NodeJS.ProcessEnv, log: Log): Promise<number | undefined> {
  if (flag !== undefined) return flag;
  const value = variables.map((name) => env[name]).find((text) => text);
  if (value) return Number(value);
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
