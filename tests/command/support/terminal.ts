import { type IPty, spawn } from "@lydell/node-pty";
import { type Home, program } from "./home.ts";

/** The command in a terminal of its own, as a person sees it. */
export interface TerminalRun {
  /** Types; a line break presses Enter. */
  type(text: string): void;
  /** Resolves with the match once the screen's text so far has one after what was found last; rejects when the command ends before. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  /** Everything shown so far, without colours and the like. */
  text(): string;
  /** Resolves with the exit code. */
  done: Promise<number>;
}

export interface TerminalOptions {
  env?: Record<string, string>;
  columns?: number;
}

/** Runs a line of a POSIX shell in a pseudo-terminal; `askbox` stands for the command. */
export function runInTerminal(home: Home, line: string, { env = {}, columns = 100 }: TerminalOptions = {}): TerminalRun {
  const words = program.map((word) => `'${word}'`).join(" ");
  const pty: IPty = spawn("/bin/sh", ["-c", `askbox() { ${words} "$@"; }; ${line}`], {
    name: "xterm-256color",
    cols: columns,
    rows: 40,
    cwd: home.path,
    env: { PATH: process.env["PATH"], HOME: home.path, ASKBOX_HOME: home.path, ...env },
  });
  let raw = "";
  let seen = 0;
  const listeners = new Set<() => void>();
  const plain = () => raw.replace(escapes, "").replaceAll("\r", "");
  pty.onData((data) => {
    raw += data;
    for (const listener of [...listeners]) listener();
  });
  const done = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => resolve(exitCode));
  });
  home.whenClosed(async () => {
    try {
      process.kill(pty.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    await done;
  });
  return {
    type: (text) => pty.write(text.replaceAll("\n", "\r")),
    text: plain,
    done,
    shows: (pattern) =>
      new Promise((found, missed) => {
        const look = () => {
          const match = pattern.exec(plain().slice(seen));
          if (match === null) return;
          seen += match.index + match[0].length;
          listeners.delete(look);
          found(match);
        };
        listeners.add(look);
        look();
        void done.then((code) => missed(new Error(`It ended with ${code} and never showed ${pattern}:\n${plain()}`)));
      }),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what is looked for.
const escapes = /\u001B(?:\[[0-?]*[ -/]*[@-~]|[=>78])/g;
