import type { Readable, Writable } from "node:stream";
import type { Log } from "@askbox/core";
import { parseAskJson } from "@askbox/core/schemas";
import { parseMessage, refusalOf } from "@askbox/mcp";
import type { JSONRPCMessage, McpServerFactory, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { openLog } from "./environment.ts";

/**
 * MCP on stdin and stdout: the transport, stdout kept free for it, and a small server that runs until its client leaves.
 */

/** Bytes of a message. */
const maxLine = 10 * 1_024 * 1_024;
/** As over HTTP. */
const maxBatch = 100;
const newline = 10;
const parseError = -32_700;
/** How much of a line that is too long is kept of its start and its end, in bytes, where requests have their id. */
const keptEnds = 1_024;
const idAtStart = /^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*,/;
const idAtEnd = /,\s*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*)*\}\s*$/;

export interface LineTransportOptions {
  input: Readable;
  output: Writable;
  log: Log;
  /** The object whose `input` gets an `inputJson`; default `action`. */
  holder?: string | undefined;
}

/**
 * MCP over stdio, where every line is a message. It takes the place of the SDK's transport for three reasons:
 *
 * - Whatever cannot be read gets an error, with the request's id if it can be found, and a line in the log. The SDK drops it, so that a
 *   client waits until its own limit. A line that is too long is skipped, instead of ending the server. A batch (revision 2025-03-26) is
 *   taken apart, and each response is a message, as over HTTP: a call that waits for a person holds up no other.
 * - A message counts as sent only when the system has accepted it. An answer written to a client that has just died is not delivered.
 * - The arguments of an action are kept as they were written, in `inputJson` beside the `input` of an object called `holder`.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: LineTransportOptions;
  readonly #line = new Line();
  #isClosed = false;

  constructor(options: LineTransportOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    const leave = () => void this.close();
    // It stays, since a late error must not end the process.
    output.on("error", leave);
    input.on("error", leave).on("end", leave).on("close", leave);
    if (input.readableEnded || input.destroyed) setImmediate(leave);
    input.on("data", this.#read);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("The client has closed the stream."));
    return new Promise((resolve, reject) => {
      this.#options.output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { input } = this.#options;
    input.off("data", this.#read);
    input.pause();
    if (this.#line.size > 0) this.#report(`its last line has no end (${this.#line.size} bytes)`);
    this.onclose?.();
  }

  readonly #read = (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1 && !this.#isClosed; end = chunk.indexOf(newline, start)) {
      this.#line.add(chunk.subarray(start, end));
      const { size, isTooLong } = this.#line;
      const text = this.#line.take();
      if (isTooLong) this.#refuseLong(text, size);
      else this.#take(text);
      start = end + 1;
    }
    this.#line.add(chunk.subarray(start));
  };

  #take(text: string): void {
    const json = text.replace(/^\uFEFF/, "");
    if (json.trim() === "") return;
    let value: unknown;
    try {
      value = parseAskJson(json, this.#options.holder);
    } catch {
      const advice = json.includes("\0") ? " It looks like UTF-16; send UTF-8." : "";
      return this.#refuse(refusalOf(null, `Parse error: the line is not valid JSON.${advice}`, parseError));
    }
    const messages = Array.isArray(value) && value.length > 0 ? value : [value];
    if (messages.length > maxBatch) return this.#refuse(refusalOf(null, `Invalid Request: a batch may have at most ${maxBatch} messages.`));
    for (const each of messages) {
      const { message, refusal } = parseMessage(each);
      if (message !== undefined) this.onmessage?.(message);
      else if (refusal !== undefined) this.#refuse(refusal);
      else this.#report("it is neither a notification nor a response");
    }
  }

  #refuseLong(ends: string, size: number): void {
    const id = (idAtStart.exec(ends) ?? idAtEnd.exec(ends))?.[1];
    const sentence = `Invalid Request: a message may have at most ${maxLine} bytes; this one has ${size}.`;
    this.#refuse(refusalOf(id === undefined ? null : JSON.parse(id), sentence));
  }

  #refuse(refusal: ReturnType<typeof refusalOf>): void {
    this.#report(refusal.error.message);
    this.send(refusal).catch(() => {});
  }

  /** Without the text itself, which may be anything. */
  #report(reason: string): void {
    this.#options.log("warn", "A message of the client could not be read", { reason });
  }
}

/** The line that is being received. Of one that is too long, only the ends are kept. */
class Line {
  size = 0;
  #pieces: Buffer[] = [];
  #end = Buffer.alloc(0);

  get isTooLong(): boolean {
    return this.size > maxLine;
  }

  add(piece: Buffer): void {
    const wasTooLong = this.isTooLong;
    this.size += piece.length;
    if (!this.isTooLong) {
      if (piece.length > 0) this.#pieces.push(piece);
      return;
    }
    const rest = Buffer.concat([...(wasTooLong ? [this.#end] : this.#pieces), piece.subarray(-keptEnds)]);
    // Copies, so that the rest can be freed.
    if (!wasTooLong) this.#pieces = [Buffer.from(rest.subarray(0, keptEnds))];
    this.#end = Buffer.from(rest.subarray(-keptEnds));
  }

  /** The line, or the ends of one that is too long; the next one begins. */
  take(): string {
    const text = Buffer.concat([...this.#pieces, this.#end]).toString();
    [this.size, this.#pieces, this.#end] = [0, [], Buffer.alloc(0)];
    return text;
  }
}

/**
 * Reserves stdout for the protocol: all other writes to it, `console.log` included, go to stderr from now on.
 * Returns the real one.
 */
export function reserveStdout(host: NodeJS.Process): NodeJS.WriteStream & { fd: 1 } {
  const { stdout } = host;
  Object.defineProperty(host, "stdout", { configurable: true, enumerable: true, get: () => host.stderr });
  return stdout;
}

/** Resolves when the work is done, or after this many milliseconds. */
export async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

/** How long a cut call may take to end, in ms. */
const shutdownGrace = 500;

export interface ServeOptions extends Pick<LineTransportOptions, "holder"> {
  env: NodeJS.ProcessEnv;
}

/** Serves one small tool on this process's stdin and stdout until the client disconnects. Resolves with the exit code. */
export async function serveUntilLeft(factory: McpServerFactory, { env, holder }: ServeOptions): Promise<number> {
  const left = Promise.withResolvers<void>();
  const { log, flush } = openLog(env);
  const transport = new LineTransport({ input: process.stdin, output: reserveStdout(process), log, holder });
  const handle = serveStdio(factory, { transport });
  process.stdin.once("end", left.resolve);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, left.resolve);
  await left.promise;
  await atMost(shutdownGrace, handle.close());
  await flush();
  setTimeout(() => process.exit(0), shutdownGrace).unref();
  return 0;
}
