import { type Instance, render, type SuspendTerminal } from "ink";
import { createElement } from "react";
import type { App } from "../app/app.ts";
import type { Painter } from "../theme/painter.ts";
import { Screen } from "./screen.ts";

export interface MountOptions {
  app: App;
  painter: Painter;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  screenReader: boolean;
  onTerminal(suspend: SuspendTerminal): void;
}

/** Frames a second: a key is seen within a hundredth of a second, and what comes in bursts is drawn together. */
const maxFps = 100;

/** Draws the app on the terminal's other screen, so that what stood there comes back. A screen reader gets plain text that stays. */
export function mount({ app, painter, stdin, stdout, screenReader, onTerminal }: MountOptions): Instance {
  // Ink does so after its first paint; until then the terminal would echo what is typed, and turn Enter into a line break.
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
