/**
 * The process's terminal besides the screen that is drawn on it: signals, the window's title, the bell, the clipboard, and lending the terminal to
 * an editor or to pictures.
 *
 * What can go wrong: the terminal goes away (`leave(1)`, and its late errors no longer matter), the system ends the process (`leave(0)`, so that
 * drafts are sent first), and there is no shell that could suspend it (it goes on after 200 ms).
 */
import { spawn } from "node:child_process";
import type { Clock } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import type { Inbox } from "@askbox/inbox";
import { waitingIn } from "@askbox/inbox/list";
import type { Instance, SuspendTerminal } from "ink";
import type { Host } from "../app/app-options.ts";
import { editText } from "./editor.ts";
import { completePath, droppedFiles } from "./path.ts";
import { pictureProtocol, viewPictures } from "./pictures.ts";

/** The process's terminal, besides the screen that is drawn on it. */
interface Terminal {
  host: Host;
  attach(screen: Instance): void;
  /** Receives the function that hands the terminal to another program. */
  lend(suspend: SuspendTerminal): void;
  /** Restores the terminal. */
  detach(): Promise<void>;
  /** Shows the count in the window's title. Returns a function that stops it. */
  keepTitle(inbox: Inbox): () => void;
  write(text: string): boolean;
}

/** Milliseconds to wait for the system to suspend the process before giving up: without a shell it can't be suspended. */
const stopsWithin = 200;

export interface TerminalOptions {
  process: NodeJS.Process;
  stdout: NodeJS.WriteStream;
  clock: Clock;
  /** Called with an exit code: 0 on a signal, 1 if the terminal is gone. */
  leave(code: number): void;
}

/** Draws on `stdout`. */
export function createTerminal({ process, stdout, clock, leave }: TerminalOptions): Terminal {
  const { stdin, env, platform } = process;
  let screen: Instance | undefined;
  let suspend: SuspendTerminal | undefined;
  let isGone = false;
  let viewing: { close(): void; closed: Promise<unknown> } | undefined;
  const protocol = wantsScreenReader(env) || !stdout.isTTY ? undefined : pictureProtocol(env);
  const write = (text: string): boolean => {
    if (isGone || stdout.destroyed || !stdout.writable) return false;
    stdout.write(text);
    return true;
  };
  const hangUp = () => {
    isGone = true;
    leave(1);
  };
  const end = () => leave(0);
  const stop = () => void suspend?.(() => stopped(process, clock, stop)).catch(() => {});
  const streams = [stdin, stdout] as const;
  for (const stream of streams) stream.on("error", hangUp);
  stdin.on("end", hangUp);
  process.on("SIGHUP", hangUp).on("SIGTERM", end).on("SIGINT", end);
  if (platform !== "win32") process.on("SIGTSTP", stop);
  return {
    host: {
      exit: leave,
      copy: (text) => copyText(text, { env, platform, write }),
      async edit(text) {
        let result: { text?: string; problem?: string } = {};
        await suspend?.(async () => {
          result = await editText(text, env, platform);
        });
        return result;
      },
      showsPictures: protocol !== undefined,
      async viewPictures(pictures) {
        let next: "closed" | "browser" = "closed";
        if (protocol === undefined) return "browser";
        await suspend?.(async () => {
          const closing = new AbortController();
          const seen = viewPictures(pictures, { protocol, stdin, stdout, write, signal: closing.signal });
          viewing = { close: () => closing.abort(), closed: seen };
          next = await seen.finally(() => {
            viewing = undefined;
          });
        });
        return next;
      },
      completePath: (text) => completePath(text, { platform }),
      droppedFiles: (text) => droppedFiles(text, { platform }),
      suspend: () => (platform === "win32" ? undefined : stop()),
      redraw: () => screen?.clear(),
      notify: (line) => void write(`${bell}${desktopNotification(env, line)}`),
    },
    attach(mounted) {
      screen = mounted;
      void mounted.waitUntilExit().then(end, hangUp);
    },
    lend(how) {
      suspend = how;
    },
    async detach() {
      process.off("SIGHUP", hangUp).off("SIGTERM", end).off("SIGINT", end).off("SIGTSTP", stop);
      // It leaves the screen as it was before.
      const viewed = viewing?.closed;
      viewing?.close();
      await viewed?.catch(() => {});
      screen?.unmount();
      if (!isGone) await screen?.waitUntilExit().catch(() => {});
      stdin.off("end", hangUp);
      // A closed terminal may still report errors, which no longer matter.
      for (const stream of streams) stream.off("error", hangUp).on("error", () => {});
    },
    keepTitle(inbox) {
      if (!stdout.isTTY || env["TERM"] === "dumb") return () => {};
      let shown: number | undefined;
      const show = () => {
        const { pending, ready } = inbox.getState();
        const waiting = waitingIn(pending);
        if (!ready || shown === waiting) return;
        if (shown === undefined) write(savedTitle);
        shown = waiting;
        write(windowTitle(shown));
      };
      const unsubscribe = inbox.subscribe(show);
      return () => {
        unsubscribe();
        if (shown !== undefined) write(`${windowTitle(0)}${restoredTitle}`);
      };
    },
    write,
  };
}

/** Suspends the whole process group, like Ctrl-Z in a cooked terminal; resolves when it continues. */
function stopped(process: NodeJS.Process, clock: Clock, ours: () => void): Promise<void> {
  return new Promise((resolve) => {
    const letEnd = clock.stayAlive?.();
    const resume = () => {
      cancelTimer();
      letEnd?.();
      process.off("SIGCONT", resume).on("SIGTSTP", ours);
      resolve();
    };
    process.once("SIGCONT", resume).off("SIGTSTP", ours);
    const cancelTimer = clock.setTimer(stopsWithin, resume);
    process.kill(0, "SIGTSTP");
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Clipboard tools by kind of desktop. Over SSH the clipboard is on another machine, so none is used. */
function toolsOf(env: Environment, platform: NodeJS.Platform): readonly (readonly [string, ...string[]])[] {
  if (env["SSH_CONNECTION"] !== undefined) return [];
  if (platform === "darwin") return [["pbcopy"]];
  if (platform === "win32") return [["clip.exe"]];
  const wayland = env["WAYLAND_DISPLAY"] === undefined ? [] : ([["wl-copy"]] as const);
  const x11 =
    env["DISPLAY"] === undefined
      ? []
      : ([
          ["xclip", "-selection", "clipboard"],
          ["xsel", "--clipboard", "--input"],
        ] as const);
  return [...wayland, ...x11];
}

/** Copies with the first tool that works, otherwise through the terminal. */
async function copyText(
  text: string,
  { env, platform, write }: { env: Environment; platform: NodeJS.Platform; write(data: string): boolean },
): Promise<"tool" | "terminal" | "failed"> {
  for (const [command, ...args] of toolsOf(env, platform)) if (await fed(command, args, text)) return "tool";
  return write(toClipboard(text)) ? "terminal" : "failed";
}

function fed(command: string, args: readonly string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["pipe", "ignore", "ignore"] });
    child.on("error", () => resolve(false));
    child.stdin.on("error", () => resolve(false));
    // These tools keep running as the owner of the clipboard; it is enough that they took the text.
    child.on("exit", (code) => resolve(code === 0));
    child.stdin.end(text, () => child.unref());
  });
}

/** Control sequences for the terminal besides the screen. All text in them is our own or sanitised. */

const esc = "\u001b";
const st = `${esc}\\`;

/** Sets the window's title, from our own text only; saves the previous one, which `restoredTitle` brings back. */
const savedTitle = `${esc}[22;2t`;
const restoredTitle = `${esc}[23;2t`;
const windowTitle = (waiting: number): string => `${esc}]2;${waiting === 0 ? "askbox" : `askbox (${waiting})`}${st}`;

const bell = "\u0007";

/** A desktop notification if the terminal is known to support them, otherwise nothing. `line` must be sanitised. */
function desktopNotification(env: Environment, line: string): string {
  const text = cut(line.replace(/[;\p{Cc}]/gu, " "), 120, "");
  const term = env["TERM"] ?? "";
  const program = env["TERM_PROGRAM"] ?? "";
  if (term.includes("kitty")) return `${esc}]99;i=askbox;askbox: ${text}${st}`;
  if (term.startsWith("rxvt") || term.startsWith("foot")) return `${esc}]777;notify;askbox;${text}${st}`;
  const known = /^(iTerm\.app|WezTerm|ghostty)$/.test(program) || term.includes("ghostty");
  return known ? `${esc}]9;askbox: ${text}${esc}\\` : "";
}

/** Writes to the terminal's clipboard (OSC 52). Works over SSH too, if the terminal allows it. */
const toClipboard = (text: string): string => `${esc}]52;c;${Buffer.from(text, "utf8").toString("base64")}${st}`;

/** Whether the user asked for plain text, with Ink's variable or the one shared by other programs' accessibility settings. */
export function wantsScreenReader(env: Readonly<Record<string, string | undefined>>): boolean {
  return env["INK_SCREEN_READER"] === "true" || env["ASKBOX_SCREEN_READER"] === "true" || env["ASKBOX_SCREEN_READER"] === "1";
}
