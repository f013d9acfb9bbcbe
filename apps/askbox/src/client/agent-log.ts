import type { Log } from "@askbox/core";
import type { Logger } from "@askbox/home";

/** The log of what runs beside an agent: in the file alone, since editors show stderr to people. Loaded with the first line. */
export function openAgentLog(env: Readonly<Record<string, string | undefined>>): { log: Log; flush(): Promise<void> } {
  let logger: Promise<Logger> | undefined;
  const open = async () => {
    const { createLogger, homeFiles, homeFolders } = await import("@askbox/home");
    return createLogger({ level: "info", file: homeFiles(homeFolders({ env })).log, part: "acp" });
  };
  return {
    log(level, message, data) {
      logger ??= open();
      void logger.then(({ log }) => log(level, message, data)).catch(() => {});
    },
    flush: async () => (await logger?.catch(() => undefined))?.flush(),
  };
}
