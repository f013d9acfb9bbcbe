import type { Log, LogLevel } from "@askbox/core";
import { openLogFile } from "./log-file.ts";
import { redact } from "./redact.ts";

const ranks: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

export interface LoggerOptions {
  /** The minimum level; default `info`. */
  level?: LogLevel;
  /** Where human-readable lines go; default nowhere. */
  stderr?: { write(text: string): unknown };
  /** Prefix of human-readable lines: `[MCP]` in the stdio server. */
  prefix?: string;
  /** The path of the JSON log, such as `homeFiles(folders).log`; default none. */
  file?: string;
  /** The part of askbox that logs, for each JSON line. */
  part?: string;
  /** Wall time in ms; default `Date.now`. */
  now?: () => number;
}

export interface Logger {
  log: Log;
  /** Resolves when everything so far is in the file. */
  flush(): Promise<void>;
}

/** Logs `[MCP] message {json}` to stderr and JSON lines to a file, without secrets. Never throws. */
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
      // If the data is not JSON, or stderr is closed, the line is dropped.
    }
  };
  return { log, flush: async () => file?.flush() };
}

/** JSON escapes for terminal control sequences and invisible characters, since agents choose the names of clients and projects. */
function escaped(line: string): string {
  return line.replace(/[\p{Cc}\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\uFFF9-\uFFFB]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join(""),
  );
}
