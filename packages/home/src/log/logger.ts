import type { Log, LogLevel } from "@askbox/core";
import { openLogFile } from "./log-file.ts";
import { redact } from "./redact.ts";

const ranks: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

export interface LoggerOptions {
  /** The least important level that is logged; default `info`. */
  level?: LogLevel;
  /** Where lines for people go; default nowhere. */
  stderr?: { write(text: string): unknown };
  /** Stands before each line for people: `[MCP]` in the stdio server. */
  prefix?: string;
  /** The JSON log's path, such as `homeFiles(folders).log`; default none. */
  file?: string;
  /** Which part of askbox this is; stands in each JSON line. */
  part?: string;
  /** Wall time in ms; default `Date.now`. */
  now?: () => number;
}

export interface Logger {
  log: Log;
  /** Resolves when the file holds everything logged so far. */
  flush(): Promise<void>;
}

/** Logs for people as `[MCP] message {json}` to stderr and as JSON lines to a file, without secrets. Never throws. */
export function createLogger(options: LoggerOptions): Logger {
  const { level: least = "info", stderr, prefix, part, now = Date.now } = options;
  const file = options.file === undefined ? undefined : openLogFile({ path: options.file });
  const log: Log = (level, message, data) => {
    if (ranks[level] < ranks[least]) return;
    try {
      const text = redact(message) as string;
      const details = data === undefined ? undefined : (redact(data) as Record<string, unknown>);
      const forPeople = [prefix, text, details && JSON.stringify(details)];
      stderr?.write(`${escaped(forPeople.filter((piece) => piece !== undefined).join(" "))}\n`);
      const line = { ...details, time: new Date(now()).toISOString(), level, ...(part && { part }), pid: process.pid, message: text };
      file?.write(escaped(JSON.stringify(line)));
    } catch {
      // Data that is no JSON, or a stderr that has gone: the work continues without the line.
    }
  };
  return { log, flush: async () => file?.flush() };
}

/** As JSON escapes: what a terminal would obey, and what a reader could not see. Names of clients and projects are an agent's own words. */
function escaped(line: string): string {
  return line.replace(/[\p{Cc}\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\uFFF9-\uFFFB]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join(""),
  );
}
