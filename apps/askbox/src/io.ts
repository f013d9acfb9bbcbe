import { printable } from "@askbox/terminal-text";
import { type ReadOptions, readInput } from "./read-input.ts";

/** Where a command writes. */
export interface Output {
  /** Resolves when the text has been handed to the operating system; rejects with `EPIPE` if the reader has gone. */
  write(text: string): Promise<void>;
  /** The same without `cleaned`'s last step: for data that only a program reads, and for the cursor of a terminal. */
  readonly exact?: (text: string) => Promise<void>;
  /** The width to wrap text to. */
  readonly columns: number;
  /** The width to cut tables to: the terminal's or `COLUMNS`, otherwise infinite, so that a pipe gets everything. */
  readonly tableColumns: number;
  readonly isTerminal: boolean;
  readonly hasColors: boolean;
}

/** Where a command reads. */
export interface Input {
  /** All input as UTF-8; see `readInput`. */
  text(options?: ReadOptions): Promise<string>;
}

export interface Io {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks the person at the terminal, and returns the line that they type; empty at the end of input. Absent without a terminal. */
  ask?(question: string): Promise<string>;
  /** The same without showing what is typed. */
  askSecretly?(question: string): Promise<string>;
}

const widthWithoutTerminal = 100;

/** This process's own streams. */
export function processIo(host: NodeJS.Process): Io {
  const width = Number(host.env["COLUMNS"]) || undefined;
  return {
    stdin: { text: (options) => readInput(host.stdin, options) },
    stdout: outputOf(host.stdout, width),
    stderr: outputOf(host.stderr, width),
    env: host.env,
    ...(host.stdin.isTTY === true &&
      host.stdout.isTTY === true && {
        ask: (question) => askAt(host, question, host.stdout),
        async askSecretly(question) {
          const screen = outputOf(host.stdout, width);
          await screen.write(question);
          const { Writable } = await import("node:stream");
          const line = await askAt(host, "", new Writable({ write: (_chunk, _encoding, done) => done() }));
          await screen.write("\n");
          return line;
        },
      }),
  };
}

async function askAt({ stdin: input }: NodeJS.Process, question: string, output: NodeJS.WritableStream): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  // As a terminal, which echoes nothing by itself.
  const lines = createInterface({ input, output, terminal: true });
  const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}

/** The streams as commands get them: no text can control or deceive the terminal, wherever it comes from. */
export function cleaned(io: Io): Io {
  const { ask, askSecretly } = io;
  const shown = (question: string) => printable(question, { styles: io.stdout.hasColors });
  return {
    ...io,
    stdout: cleanOutput(io.stdout),
    stderr: cleanOutput(io.stderr),
    ...(ask && { ask: (question: string) => ask(shown(question)) }),
    ...(askSecretly && { askSecretly: (question: string) => askSecretly(shown(question)) }),
  };
}

function cleanOutput(output: Output): Output {
  if (output.exact !== undefined) return output;
  const exact = (text: string) => output.write(text);
  const write = (text: string) => exact(printable(text, { styles: output.hasColors }));
  return Object.create(output, { exact: { value: exact }, write: { value: write } }) as Output;
}

export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}

function outputOf(stream: NodeJS.WriteStream, width: number | undefined): Output {
  // Without a listener, a reader that exits (`askbox list | head`) would end the process with a stack trace; `write` reports it.
  stream.on("error", () => {});
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    get columns() {
      return stream.columns || (width ?? widthWithoutTerminal);
    },
    get tableColumns() {
      return stream.columns || (width ?? Number.POSITIVE_INFINITY);
    },
    isTerminal: stream.isTTY === true,
    hasColors: stream.isTTY === true && stream.hasColors(),
  };
}
