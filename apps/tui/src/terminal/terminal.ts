import type { Clock } from "@askbox/core";
import type { Inbox } from "@askbox/inbox";
import type { Instance, SuspendTerminal } from "ink";
import type { Host } from "../app/host.ts";
import { copyText } from "./clipboard.ts";
import { editText } from "./editor.ts";
import { completePath, droppedFiles } from "./path.ts";
import { pictureProtocol } from "./picture-signs.ts";
import { viewPictures } from "./picture-viewer.ts";
import { wantsScreenReader } from "./screen-reader.ts";
import { bell, desktopNotification, restoredTitle, savedTitle, windowTitle } from "./signs.ts";

/** The process's terminal, besides the screen that is drawn on it. */
export interface Terminal {
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
        if (!ready || shown === pending.size) return;
        if (shown === undefined) write(savedTitle);
        shown = pending.size;
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
