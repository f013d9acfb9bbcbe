import { existsSync } from "node:fs";
import type { Log, LogLevel } from "@askbox/core";
import { type Config, homeFiles, homeFolders, type Logger } from "@askbox/home";
import { isTimeout } from "./options.ts";

/**
 * What the environment and the config say to this server: the timeout of asks, and its log. What can't be used is ignored, with a line in the
 * log, since a client would only show that its server failed.
 */

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
  return (await configHere(env, log))?.timeout;
}

/** Whether the config of this machine offers the events of MCP. */
export const offersEvents = async (env: NodeJS.ProcessEnv, log: Log): Promise<boolean> =>
  ((await configHere(env, log))?.mcpEvents ?? "off") !== "off";

async function configHere(env: NodeJS.ProcessEnv, log: Log): Promise<Config | undefined> {
  if (!existsSync(homeFiles(homeFolders({ env })).config)) return undefined;
  try {
    const { readConfig } = await import("./read-config.ts");
    return readConfig(env);
  } catch (error) {
    log("warn", error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** The log, and the environment without the variables that cannot be used, for each of which the log has a line. */
export interface OpenLog {
  log: Log;
  env: NodeJS.ProcessEnv;
  flush(): Promise<void>;
}

/** The stdio server's log: lines with `[MCP]` on stderr, JSON in the log file. The logger is loaded with the first line. */
export function openLog(processEnv: NodeJS.ProcessEnv): OpenLog {
  const { env, ignored } = usableEnvironment(processEnv);
  let logger: Promise<Logger> | undefined;
  const open = async () => {
    const { createLogger, homeFiles, homeFolders } = await import("@askbox/home");
    const file = homeFiles(homeFolders({ env })).log;
    return createLogger({ level: await levelOf(env), stderr: process.stderr, prefix: "[MCP]", file, part: "mcp" });
  };
  const log: Log = (level, message, data) => {
    logger ??= open();
    void logger.then(({ log }) => log(level, message, data));
  };
  for (const sentence of ignored) log("warn", sentence);
  return { log, env, flush: async () => (await logger)?.flush() };
}

/** As the settings say, like the hub's. Settings that are not valid are the hub's to refuse. */
async function levelOf(env: NodeJS.ProcessEnv): Promise<LogLevel> {
  try {
    const { readConfig } = await import("./read-config.ts");
    return readConfig(env).logLevel;
  } catch {
    return "info";
  }
}
