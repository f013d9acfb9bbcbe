/** How serious a log entry is. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Where the parts of askbox report to. `data` is plain JSON and never holds a token or an answer. */
export type Log = (level: LogLevel, message: string, data?: Record<string, unknown>) => void;

/** A log that discards everything. */
export const silentLog: Log = () => {};
