import { type Instance, render, type SuspendTerminal } from "ink";
import { createElement } from "react";
import type { App } from "../app/app.ts";
import type { Painter } from "../text/painter.ts";
import { Screen } from "./screen.ts";

export interface MountOptions {
  app: App;
  painter: Painter;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  screenReader: boolean;
  onTerminal(suspend: SuspendTerminal): void;
}

/** Frames per second: a key shows within 10 ms, and changes that come in bursts are drawn together. */
const maxFps = 100;

/** Draws the app on the alternate screen, so that the previous content comes back. A screen reader gets plain text that stays. */
export function mount({ app, painter, stdin, stdout, screenReader, onTerminal }: MountOptions): Instance {
  // Ink only does this after its first paint; until then the terminal would echo typing, and turn Enter into a line break.
  if (stdin.isTTY) stdin.setRawMode(true);
  return render(createElement(Screen, { app, painter, onTerminal }), {
    stdin,
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
