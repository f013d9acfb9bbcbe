import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { bundleOf, compileCache, program } from "../../setup/programs.ts";
import { onFailureShow, until } from "../../support/until.ts";
import type { InboxOptions } from "./tui-here.ts";

// The addon reads its data from the start of the memory below a Buffer. In Node's pool, that is other Buffers' data, and reading it may never end.
const { poolSize } = Buffer;
Buffer.poolSize = 0;
const { UnicodeGraphemesAddon } = await import("@xterm/addon-unicode-graphemes");
Buffer.poolSize = poolSize;

export const keys = {
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  pageUp: "\u001b[5~",
  pageDown: "\u001b[6~",
  home: "\u001b[H",
  end: "\u001b[F",
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  shiftTab: "\u001b[Z",
  backspace: "\u007f",
  newline: "\n",
  ctrl: (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96),
  paste: (text: string) => `\u001b[200~${text.replaceAll("\n", "\r")}\u001b[201~`,
} as const;

export interface Size {
  columns: number;
  rows: number;
}

export interface TerminalOptions extends Partial<Size> {
  env?: Record<string, string | undefined>;
  tui?: InboxOptions;
  /** Runs instead of the terminal inbox. */
  command?: readonly [string, ...string[]];
  /** Runs the terminal inbox as a process, for what its signals, its exit or a real pty does. Otherwise it is in this one, in a third of the time. */
  isProcess?: boolean;
}

/** A program on a real pty, or the terminal inbox in this process, displayed by a headless xterm. */
export interface TestTerminal {
  readonly xterm: InstanceType<typeof xterm.Terminal>;
  /** The effects of OSC sequences: titles, and text copied to the clipboard. */
  readonly titles: readonly string[];
  readonly clipboard: readonly string[];
  readonly bells: () => number;
  /** Everything that the program wrote. */
  readonly output: () => string;
  /** The rows on the screen, without trailing spaces. */
  screen(): string[];
  text(): string;
  send(...input: string[]): void;
  /** Resolves when the screen contains the text, or matches. */
  sees(expected: string | RegExp): Promise<void>;
  until(holds: (screen: string) => boolean, what: string): Promise<void>;
  resize(size: Size): void;
  exited: Promise<number>;
  kill(signal?: string): void;
}

export interface Terminals {
  open(options?: TerminalOptions): TestTerminal;
  close(): Promise<void>;
}

/** Terminals that are closed together after a test. */
export function terminals(): Terminals {
  const opened: TestTerminal[] = [];
  const home = mkdtempSync(join(tmpdir(), "askbox-terminal-"));
  const hide = onFailureShow(() => opened.map((terminal) => `A terminal's screen:\n${terminal.text()}`).join("\n"));
  return {
    open(options = {}) {
      const terminal = openTerminal(options, home);
      opened.push(terminal);
      return terminal;
    },
    async close() {
      hide();
      for (const terminal of opened) terminal.kill("SIGKILL");
      await Promise.all(opened.map(({ exited }) => exited));
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const { openHere }: typeof import("./tui-here.ts") = await import(/* @vite-ignore */ pathToFileURL(bundleOf("tui-here")).href);

function openTerminal({ columns = 80, rows = 24, env = {}, tui = {}, command, isProcess }: TerminalOptions, home: string): TestTerminal {
  const [file = "", ...args] = command ?? (isProcess === true ? [...program("tui"), JSON.stringify(tui)] : []);
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(CI|NO_COLOR|FORCE_COLOR|TMUX|EDITOR|VISUAL|SSH_.*|VITEST.*|NODE_ENV|DISPLAY)$/.test(name),
    ),
  );
  const variables = {
    ...inherited,
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    ASKBOX_HOME: home,
    NODE_ENV: "production",
    ...compileCache(),
    ...env,
  };
  const pty =
    file === ""
      ? openHere(tui, { columns, rows }, variables)
      : spawn(file, args, { cols: columns, rows, env: variables as Record<string, string>, cwd: home });
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 200 });
  screen.loadAddon(new UnicodeGraphemesAddon());
  const titles: string[] = [];
  const clipboard: string[] = [];
  let bells = 0;
  let output = "";
  screen.onTitleChange((title) => titles.push(title));
  screen.onBell(() => {
    bells += 1;
  });
  screen.parser.registerOscHandler(52, (data) => {
    clipboard.push(data);
    return true;
  });
  // A frame arrives in pieces. Until its last one the screen shows the previous frame, as terminals with synchronized output do.
  let complete: string[] | undefined;
  const synchronizes = (apply: () => void) => (params: readonly (number | number[])[]) => {
    if (params[0] === 2026) apply();
    return false;
  };
  screen.parser.registerCsiHandler(
    { prefix: "?", final: "h" },
    synchronizes(() => {
      complete ??= rowsNow();
    }),
  );
  screen.parser.registerCsiHandler(
    { prefix: "?", final: "l" },
    synchronizes(() => {
      complete = undefined;
    }),
  );
  // The terminal's own responses, such as to a query of its attributes.
  screen.onData((data) => pty.write(data));
  pty.onData((data) => {
    output += data;
    screen.write(data);
  });
  const exited = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  const rowsNow = () => {
    const { active } = screen.buffer;
    return Array.from({ length: screen.rows }, (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? "");
  };
  const shown = () => complete ?? rowsNow();
  const untilShown: TestTerminal["until"] = async (holds, what) =>
    void (await until(`the screen shows ${what}`, () => holds(shown().join("\n"))));
  return {
    xterm: screen,
    titles,
    clipboard,
    bells: () => bells,
    output: () => output,
    screen: shown,
    text: () => shown().join("\n"),
    send: (...input) => {
      for (const part of input) pty.write(part);
    },
    sees: (expected) =>
      untilShown((text) => (typeof expected === "string" ? text.includes(expected) : expected.test(text)), String(expected)),
    until: untilShown,
    resize({ columns: width, rows: height }) {
      screen.resize(width, height);
      pty.resize(width, height);
    },
    exited,
    kill(signal) {
      try {
        pty.kill(signal);
      } catch {
        // It has already exited.
      }
    },
  };
}
