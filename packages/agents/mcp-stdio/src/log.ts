import type { Log, LogLevel } from "@askbox/core";
import type { Logger } from "@askbox/home";
import { usableEnvironment } from "./default-timeout.ts";

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
