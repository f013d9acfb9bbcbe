/** How serious a log entry is. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Where askbox logs to. `data` is plain JSON and never contains a token or an answer. */
export type Log = (level: LogLevel, message: string, data?: Record<string, unknown>) => void;

/** A log that discards everything. */
export const silentLog: Log = () => {};
