import { appendFileSync } from "node:fs";
import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Log, LogLevel } from "@askbox/core";

/**
 * The hub's log: one line of JSON an event, of which tokens are removed before they are written, in a file that is renamed when it grows
 * too large. Logging never throws: without a disk, lines are lost.
 */

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

interface LogFileOptions {
  path: string;
  /** The size in bytes at which the file is renamed to `.1`; default 5 MB. */
  maxBytes?: number;
  /** Total number of files; default 3. */
  maxFiles?: number;
}

interface LogFile {
  write(line: string): void;
  /** Resolves when everything so far was written, or could not be. */
  flush(): Promise<void>;
}

/**
 * A log file with a maximum size that several processes may share. It writes in the background, so that logging never delays an answer, and
 * errors are ignored.
 */
export function openLogFile({ path, maxBytes = 5 * 1_024 * 1_024, maxFiles = 3 }: LogFileOptions): LogFile {
  let waiting = "";
  let writing: Promise<void> | undefined;
  const write = async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    while (waiting !== "") {
      const text = waiting;
      waiting = "";
      const size = (await stat(path).catch(() => undefined))?.size ?? 0;
      if (size > 0 && size + text.length > maxBytes) await rotate(path, maxFiles);
      await appendFile(path, text, { mode: 0o600 });
    }
  };
  process.once("exit", () => {
    try {
      if (waiting !== "") appendFileSync(path, waiting, { mode: 0o600 });
    } catch {
      // There is nowhere left to report this.
    }
  });
  return {
    write(line) {
      waiting += `${line}\n`;
      writing ??= write()
        .catch(() => {
          waiting = "";
        })
        .finally(() => {
          writing = undefined;
        });
    },
    flush: async () => writing,
  };
}

async function rotate(path: string, maxFiles: number): Promise<void> {
  for (let age = maxFiles - 1; age >= 1; age--) {
    await rename(age === 1 ? path : `${path}.${age - 1}`, `${path}.${age}`).catch(() => {});
  }
}

const secretName = /token|secret|proofKey|password|authorization|cookie|credential/i;
/** A token, as created by `createToken` of the hub. */
const token = /\babx_[\w-]+/g;
const bearer = /\b(Bearer\s+)[^\s"']+/gi;
/** How `fetch` refuses a header, after its value in quotes. */
const refused = '" is an invalid header value';

const redactText = (text: string) => withoutHeader(text).replace(token, "[redacted]").replace(bearer, "$1[redacted]");

/** Without all lines of the value. It is searched for, since a regular expression would begin again at each quote. */
function withoutHeader(text: string): string {
  const [from, to] = [text.indexOf('"'), text.lastIndexOf(refused)];
  return from < to ? `${text.slice(0, from + 1)}[redacted]${text.slice(to)}` : text;
}

/** The data without secrets, recognized by value or name. */
function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null || depth > 6) return value;
  if (value instanceof Error) return { name: value.name, message: redact(value.message), stack: redact(value.stack) };
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && typeof inner === "string" ? "[redacted]" : redact(inner, depth + 1),
    ]),
  );
}
