import type { CancelTimer, Clock, Log } from "@askbox/core";
import { causeOf, type Fetch } from "../channels/post.ts";
import { wait } from "../failures.ts";

/** Milliseconds between attempts to connect, at first and at most; and after a refusal, which only a person can change. */
const delays = { first: 500, max: 30_000, refused: 300_000 };
/** Milliseconds without a line after which a connection counts as dead: a server sends something every 45 s. */
const silence = 60_000;
/** Characters of one line; a longer one is skipped. */
const maxLine = 16_384;

export interface ButtonPressReaderOptions {
  clock: Clock;
  log: Log;
  fetch: Fetch;
  /** For the log, without secrets. */
  shown: string;
  /** The request for everything that was sent since what was read last. */
  request(): { url: string; headers: Record<string, string> };
  /** Takes a line. If it rejects, the line is read again later. */
  onLine(line: string): Promise<void>;
}

/** The state of the connection: why there is none, or undefined. */
export interface ButtonPressReader {
  trouble(): string | undefined;
  close(): Promise<void>;
}

/** Reads lines from an outgoing stream, and connects again whenever it ends, fails or is silent. */
export function readButtonPresses({ clock, log, fetch, shown, request, onLine }: ButtonPressReaderOptions): ButtonPressReader {
  const end = new AbortController();
  let trouble: string | undefined;
  let delay = delays.first;

  const connect = async (): Promise<void> => {
    const late = new AbortController();
    let cancel: CancelTimer = () => {};
    const watch = () => {
      cancel();
      cancel = clock.setTimer(silence, () => late.abort());
    };
    watch();
    try {
      const { url, headers } = request();
      const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.any([end.signal, late.signal]) });
      if (!response.ok || response.body === null) {
        await response.body?.cancel();
        trouble = `reading its presses is answered ${response.status}`;
        if (response.status < 500 && response.status !== 429) delay = delays.refused;
        return;
      }
      trouble = undefined;
      for await (const line of linesOf(response.body, watch)) {
        await onLine(line);
        delay = delays.first;
      }
    } catch (error) {
      trouble = late.signal.aborted ? "its presses fell silent" : `its presses cannot be read: ${causeOf(error)}`;
    } finally {
      cancel();
    }
  };
  const run = async (): Promise<void> => {
    let said: string | undefined;
    while (!end.signal.aborted) {
      await connect();
      if (end.signal.aborted) return;
      if (trouble !== undefined && trouble !== said) log("warn", `The buttons of ${shown} do nothing for now: ${trouble}.`);
      said = trouble;
      await wait(clock, delay, end.signal);
      delay = Math.min(delay * 2, Math.max(delays.max, delay));
    }
  };
  const running = run();
  return {
    trouble: () => trouble,
    async close() {
      end.abort();
      await running;
    },
  };
}

/** The lines of a stream. `onData` is called with everything that comes. */
async function* linesOf(body: ReadableStream<Uint8Array>, onData: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let isSkipping = false;
  for await (const chunk of body) {
    onData();
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!isSkipping && line !== "" && line.length <= maxLine) yield line;
      isSkipping = false;
    }
    if (rest.length > maxLine) {
      rest = "";
      isSkipping = true;
    }
  }
}
