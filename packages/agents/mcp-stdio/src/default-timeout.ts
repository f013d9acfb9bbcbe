import { existsSync } from "node:fs";
import type { Log } from "@askbox/core";
import { homeFiles, homeFolders } from "@askbox/home";
import { isTimeout } from "./options.ts";

/** The variables for the timeout, the preferred one first; the second is from the design that the tool's contract comes from. */
const variables = ["ASKBOX_TIMEOUT", "CN_MCP_TIMEOUT"];
/** The same for the log. */
const debugVariables = ["ASKBOX_DEBUG", "CN_MCP_DEBUG"];

/**
 * The environment without a timeout that no ask could have, and without unclear wishes for the log, with a sentence for each. It is the
 * environment of everything that this server does: a hub that read the variable again might not start.
 */
export function usableEnvironment(env: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; ignored: string[] } {
  const usable = { ...env };
  const ignored: string[] = [];
  const check = (names: readonly string[], isUsable: (text: string) => boolean, what: string) => {
    for (const name of names) {
      if (!env[name] || isUsable(env[name])) continue;
      ignored.push(`${name} is not ${what}; it is ignored`);
      delete usable[name];
    }
  };
  check(variables, (text) => isTimeout(numberOf(text)), "a whole number of milliseconds from 10000 to 1800000");
  check(debugVariables, (text) => ["true", "1", "false", "0"].includes(text), "true or false");
  return { env: usable, ignored };
}

/** As the config reads it: digits, without an exponent or another base. */
const numberOf = (text: string) => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN);

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
    const { readConfig } = await import("./read-config.ts");
    return readConfig(env).timeout;
  } catch (error) {
    log("warn", error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
