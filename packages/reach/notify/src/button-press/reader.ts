import type { CancelTimer, Clock, Log } from "@askbox/core";
import { causeOf, type Fetch } from "../channels/post.ts";
import { type Ended, keepReading, type Reading, type Session } from "../keep-reading.ts";

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

/** Reads lines from an outgoing stream, and connects again whenever it ends, fails or is silent. */
export function readButtonPresses({ clock, log, fetch, shown, request, onLine }: ButtonPressReaderOptions): Reading {
  const read = async ({ signal, works }: Session): Promise<Ended> => {
    // Once something was read, the next connection is the first again.
    const ended = { after: delays.first, isDone: false };
    const late = new AbortController();
    let cancel: CancelTimer = () => {};
    const watch = () => {
      cancel();
      cancel = clock.setTimer(silence, () => late.abort());
    };
    watch();
    try {
      const { url, headers } = request();
      const { ok, status, body } = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.any([signal, late.signal]) });
      if (!ok || body === null) {
        await body?.cancel();
        return { why: `reading its presses is answered ${status}`, isRefused: status < 500 && status !== 429 };
      }
      works();
      for await (const line of linesOf(body, watch)) {
        await onLine(line);
        ended.isDone = true;
      }
      return ended;
    } catch (error) {
      return { ...ended, why: late.signal.aborted ? "its presses fell silent" : `its presses cannot be read: ${causeOf(error)}` };
    } finally {
      cancel();
    }
  };
  return keepReading({ meaning: `The buttons of ${shown} do nothing for now`, clock, log, delays, session: read });
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
