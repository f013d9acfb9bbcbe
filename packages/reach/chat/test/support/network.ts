import { onTestFinished } from "vitest";
import { smallFetch } from "../../src/http.ts";
import { type OpenSocket, openSocket } from "../../src/socket.ts";

/** One connection: both sides tell what they have sent, by which they also end it, and got. */
export interface Line {
  sends(): void;
  gets(): void;
  /** What is still on its way will not arrive. */
  ends(): void;
}

/** Counts what is on its way, so that a virtual clock only moves when nothing is. */
export function countedNetwork() {
  const counts = { inFlight: 0, held: 0 };
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    counts.inFlight += 1;
    try {
      const response = await smallFetch(url, init);
      const body = await response.arrayBuffer();
      return new Response(body.byteLength === 0 ? null : body, { status: response.status, headers: response.headers });
    } finally {
      counts.inFlight -= 1;
    }
  };
  const lines = new Map<string, Line>();
  /** What is on its way over one connection, by the address that it was opened with. */
  const lineOf = (url: string): Line => {
    const present = lines.get(url);
    if (present !== undefined) return present;
    let own = 0;
    let isEnded = false;
    const add = (change: number) => {
      if (isEnded) return;
      own += change;
      counts.inFlight += change;
    };
    const line: Line = {
      sends: () => add(1),
      gets: () => add(-Math.min(1, own)),
      ends() {
        add(-own);
        isEnded = true;
      },
    };
    lines.set(url, line);
    return line;
  };
  const openCounted: OpenSocket = async (url, { onText, onSign, onClose }) => {
    const line = lineOf(url);
    line.sends();
    try {
      const socket = await openSocket(url, {
        onText,
        onSign() {
          line.gets();
          onSign();
        },
        onClose(code) {
          line.ends();
          onClose(code);
        },
      });
      return {
        send(text) {
          line.sends();
          socket.send(text);
        },
        ping() {
          line.sends();
          socket.ping();
        },
        end() {
          line.sends();
          socket.end();
        },
      };
    } finally {
      line.gets();
    }
  };
  const isQuiet = () =>
    counts.inFlight === counts.held && !process.getActiveResourcesInfo().some((name) => /^(?:FSReq|CloseReq)/.test(name));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** The processor rests until something has arrived or been written; turns without end would take most of a test's time. */
  const rest = () => new Promise((resolve) => setTimeout(resolve));
  const settle = async () => {
    let wasQuiet = true;
    for (let calm = 0; calm < 4; calm = wasQuiet ? calm + 1 : 0) {
      await (wasQuiet ? turn() : rest());
      wasQuiet = isQuiet();
    }
  };
  return { counts, lineOf, fetch, openSocket: openCounted, settle };
}
export type Network = ReturnType<typeof countedNetwork>;

/** Who ends what was started: a test, or a script that takes pictures. */
export const stage: { atEnd(end: () => void): void } = { atEnd: onTestFinished };
export const afterwards = (end: () => unknown) => stage.atEnd(() => void end());
