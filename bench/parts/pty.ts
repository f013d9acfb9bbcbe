import { type IPty, spawn } from "@lydell/node-pty";

/** A program on a real pty, timed by what it writes. */
export interface TimedPty {
  /** Resolves with when (`performance.now`) the text came, counted from what was written since the last `mark`. */
  wrote(text: string): Promise<number>;
  mark(): void;
  send(input: string): void;
  /** Ends it by keys, so that it can write its compile cache, and waits for that. */
  end(keys: string): Promise<void>;
}

const timeout = 20_000;

export function openPty(args: readonly string[], env: Record<string, string>, size = { cols: 120, rows: 40 }): TimedPty {
  const pty: IPty = spawn(process.execPath, [...args], { ...size, env: { ...env, TERM: "xterm-256color", LANG: "C.UTF-8" } });
  let output = "";
  let waiting: { text: string; resolve(at: number): void } | undefined;
  const exited = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  pty.onData((data) => {
    const at = performance.now();
    output += data;
    if (waiting !== undefined && output.includes(waiting.text)) {
      waiting.resolve(at);
      waiting = undefined;
    }
  });
  return {
    wrote: (text) =>
      new Promise((resolve, reject) => {
        if (output.includes(text)) return resolve(performance.now());
        const timer = setTimeout(
          () => reject(new Error(`The program never wrote ${text}: ${JSON.stringify(output.slice(-2_000))}`)),
          timeout,
        );
        waiting = {
          text,
          resolve(at) {
            clearTimeout(timer);
            resolve(at);
          },
        };
      }),
    mark() {
      output = "";
    },
    send: (input) => pty.write(input),
    async end(keys) {
      pty.write(keys);
      const timer = setTimeout(() => pty.kill("SIGKILL"), 5_000);
      await exited;
      clearTimeout(timer);
    },
  };
}
