import type { Clock } from "@askbox/core";
import { type Instance, render, type SuspendTerminal } from "ink";
import { createElement, type ReactElement } from "react";
import type { App } from "../app/app.ts";
import { pasteGuard } from "../terminal/paste-guard.ts";
import type { Painter } from "../text/painter.ts";
import { Screen } from "./screen.ts";

export interface ScreenStreams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  screenReader: boolean;
  clock: Clock;
}

export interface MountOptions extends ScreenStreams {
  app: App;
  painter: Painter;
  onTerminal(suspend: SuspendTerminal): void;
}

/** Frames per second: a key shows within 10 ms, and changes that come in bursts are drawn together. */
const maxFps = 100;

/** Draws the app. */
export function mount({ app, painter, onTerminal, ...streams }: MountOptions): Instance {
  return mountScreen(createElement(Screen, { app, painter, onTerminal }), streams);
}

/** Draws on the alternate screen, so that the previous content comes back. A screen reader gets plain text that stays. */
export function mountScreen(element: ReactElement, { stdin, stdout, screenReader, clock }: ScreenStreams): Instance {
  // Ink only does this after its first paint; until then the terminal would echo typing, and turn Enter into a line break.
  if (stdin.isTTY) stdin.setRawMode(true);
  return render(element, {
    stdin: pasteGuard(stdin, clock),
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    isScreenReaderEnabled: screenReader,
    alternateScreen: !screenReader,
    incrementalRendering: true,
    maxFps,
    kittyKeyboard: { mode: "auto", flags: ["disambiguateEscapeCodes"] },
  });
}
