import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from "node:readline";
import type { Terminal } from "../io.ts";

/** Lines that a person types, under a prompt that changes while they type. */
export interface LineReader {
  /** The next line; nothing at the end of input (Ctrl-D) and once the reader is closed. Lines typed before it was asked for are dropped. */
  read(): Promise<string | undefined>;
  /** The next line, one that came together with the last (as when several are pasted) included. */
  readNext(): Promise<string | undefined>;
  /** What stands at the prompt now. */
  readonly typed: string;
  /** Draws another prompt in place of the present one. */
  setPrompt(prompt: string): void;
  /** Puts text above the prompt. */
  print(text: string): void;
  /** Gives the terminal to something else meanwhile. */
  lend<Result>(use: () => Promise<Result>): Promise<Result>;
  /** Takes the prompt off the screen and gives the terminal back. Harmless when it is closed already. */
  close(): void;
}

/** Reads lines from a terminal; Ctrl-C is told to `onInterrupt`, since the terminal sends no signal meanwhile. */
export function readLines({ input, output }: Terminal, onInterrupt: () => void): LineReader {
  let prompt = "";
  let queue: string[] = [];
  let waiting: ((line: string | undefined) => void) | undefined;
  let isOver = false;

  const give = (line: string | undefined) => {
    const taker = waiting;
    waiting = undefined;
    taker?.(line);
  };
  const open = (): Interface => {
    const lines = createInterface({ input, output, terminal: true, historySize: 0, prompt });
    lines.on("line", (line) => (waiting === undefined ? queue.push(line) : give(line)));
    lines.on("SIGINT", onInterrupt);
    lines.on("close", () => {
      if (lines !== current || isLent) return;
      isOver = true;
      give(undefined);
    });
    return lines;
  };
  let isLent = false;
  let current = open();

  const erase = () => {
    const { rows } = current.getCursorPos();
    moveCursor(output, 0, -rows);
    cursorTo(output, 0);
    clearScreenDown(output);
  };
  const readNext = () => {
    if (isOver) return Promise.resolve(undefined);
    const line = queue.shift();
    if (line !== undefined) return Promise.resolve(line);
    current.prompt();
    return new Promise<string | undefined>((resolve) => {
      waiting = resolve;
    });
  };

  return {
    read() {
      queue = [];
      return readNext();
    },
    readNext,
    get typed() {
      return current.line;
    },
    setPrompt(next) {
      if (next === prompt) return;
      prompt = next;
      if (isOver || isLent) return;
      current.setPrompt(prompt);
      if (waiting !== undefined) current.prompt(true);
    },
    print(text) {
      if (waiting === undefined || isLent || isOver) return void output.write(text);
      erase();
      output.write(text);
      current.prompt(true);
    },
    async lend(use) {
      isLent = true;
      current.close();
      try {
        return await use();
      } finally {
        isLent = false;
        if (!isOver) current = open();
      }
    },
    close() {
      if (isOver) return;
      isOver = true;
      if (!isLent) {
        if (waiting !== undefined) erase();
        current.close();
      }
      give(undefined);
    },
  };
}
