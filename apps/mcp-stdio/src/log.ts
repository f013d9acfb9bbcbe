import type { Log } from "@askbox/core";
import type { Logger } from "@askbox/home";

/** The stdio server's log: lines with `[MCP]` on stderr, JSON in the log file. The logger is loaded with the first line. */
export function openLog(env: NodeJS.ProcessEnv): { log: Log; flush(): Promise<void> } {
  let logger: Promise<Logger> | undefined;
  const open = async () => {
    const { createLogger, homeFiles, homeFolders } = await import("@askbox/home");
    return createLogger({
      level: (env["ASKBOX_DEBUG"] || env["CN_MCP_DEBUG"]) === "true" ? "debug" : "info",
      stderr: process.stderr,
      prefix: "[MCP]",
      file: homeFiles(homeFolders({ env })).log,
      part: "mcp",
    });
  };
  return {
    log(level, message, data) {
      logger ??= open();
      void logger.then(({ log }) => log(level, message, data));
    },
    flush: async () => (await logger)?.flush(),
  };
}
