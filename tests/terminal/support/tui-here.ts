import { EventEmitter } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { connectHub } from "@askbox/home";
import { runTui } from "@askbox/tui";
import type { WireClient } from "@askbox/wire";

/** How a test opens the inbox. */
export interface InboxOptions {
  settings?: object;
  project?: string;
  once?: boolean;
  sessionId?: string;
  /** The base64 of a PNG, which every picture then is. */
  picture?: string;
}

/** Runs the terminal inbox as the command does; resolves with its exit code. */
export async function runInbox({ settings, picture, ...options }: InboxOptions, host = process, signal?: AbortSignal): Promise<number> {
  const { env } = host;
  let client: WireClient | undefined;
  const connect = async () => {
    const agent = { name: "askbox", version: "0.0.0" };
    client = await connectHub({ role: "desk", surface: "terminal", name: env["ASKBOX_NAME"] ?? "ada", agent, env });
    return picture === undefined ? client : Object.assign(client, { picture: async () => Buffer.from(picture, "base64") });
  };
  try {
    return await runTui({ connect, settings: { undoDelay: 0, ...settings }, ...options, host, ...(signal && { signal }) });
  } finally {
    client?.close();
  }
}

/** The terminal inbox in this process, on streams in place of a pty. */
export function openHere(options: InboxOptions, size: { columns: number; rows: number }, env: Record<string, string | undefined>) {
  const heard = new EventEmitter();
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin, ref: () => stdin, unref: () => stdin });
  const stdout = Object.assign(
    new Writable({
      decodeStrings: false,
      write(text, _encoding, done) {
        // As a terminal's driver does it.
        heard.emit("data", String(text).replace(/\r?\n/g, "\r\n"));
        done();
      },
    }),
    { isTTY: true, ...size },
  );
  const signals = new EventEmitter();
  const own = Object.fromEntries((["on", "off", "once"] as const).map((name) => [name, { value: signals[name].bind(signals) }]));
  const host: NodeJS.Process = Object.create(process, {
    ...own,
    env: { value: env },
    stdin: { value: stdin },
    stdout: { value: stdout },
  });
  const end = new AbortController();
  void runInbox(options, host, end.signal).then((exitCode) => heard.emit("exit", { exitCode }));
  return {
    write: (data: string) => void stdin.write(data),
    resize(columns: number, rows: number) {
      Object.assign(stdout, { columns, rows });
      stdout.emit("resize");
    },
    kill: () => end.abort(),
    onData: (listener: (data: string) => void) => void heard.on("data", listener),
    onExit: (listener: (ended: { exitCode: number }) => void) => void heard.on("exit", listener),
  };
}
