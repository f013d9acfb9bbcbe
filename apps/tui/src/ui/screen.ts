/**
 * The screen: Ink draws what a frame says and passes keys on. `Screen` knows the meaning of neither.
 *
 * `ShownFrame` makes a frame when something in it has changed, and keeps the one on the screen if that doesn't show, since keys wait while Ink
 * draws. Keys get the names of the keymap here. A terminal may send several at once, a whole word, or a paste that it didn't mark: such a paste
 * goes into the text as it is, so that none of its line breaks sends anything.
 */
import type { Clock } from "@askbox/core";
import {
  Box,
  type Key as InkKey,
  type Instance,
  render,
  type SuspendTerminal,
  Text,
  useApp,
  useCursor,
  useInput,
  useIsScreenReaderEnabled,
  usePaste,
  useWindowSize,
} from "ink";
import { createElement as h, memo, type ReactElement, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import type { App } from "../app/app.ts";
import type { KeyPress } from "../editor/editor.ts";
import { isRichTextLoaded, loadRichText } from "../markdown/rich-text.ts";
import { type Frame, FrameMaker, type FrameOptions } from "../rows/frame.ts";
import { pasteGuard } from "../terminal/paste-guard.ts";
import type { Painter } from "../text/painter.ts";
import { beside, emptyRow, type Row } from "../text/row.ts";

interface ScreenStreams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  screenReader: boolean;
  clock: Clock;
}

interface MountOptions extends ScreenStreams {
  app: App;
  painter: Painter;
  onTerminal(suspend: SuspendTerminal): void;
}

/** Frames per second: a key shows within 10 ms, and changes that come in bursts are drawn together. */
const maxFps = 100;

/** Draws the app. */
export function mount({ app, painter, onTerminal, ...streams }: MountOptions): Instance {
  return mountScreen(h(Screen, { app, painter, onTerminal }), streams);
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

interface ScreenProps {
  app: App;
  painter: Painter;
  /** Receives the function that hands the terminal to another program. */
  onTerminal(suspend: SuspendTerminal): void;
}

/** Draws the app's frame and passes it keys, without knowing the meaning of either. */
function Screen({ app, painter, onTerminal }: ScreenProps): ReactNode {
  const { suspendTerminal } = useApp();
  useEffect(() => onTerminal(suspendTerminal), [onTerminal, suspendTerminal]);
  const { columns, rows } = useWindowSize();
  const plain = useIsScreenReaderEnabled();
  const [frame] = useState(() => new ShownFrame(app, painter));
  useEffect(() => frame.keepTime(), [frame]);
  useRichText(frame);
  const { setCursorPosition } = useCursor();
  useInput((input, key) => {
    if (app.ui.editing !== undefined && !key.ctrl && !key.meta && isUnmarkedPaste(input)) return app.handlePaste(input);
    for (const press of keysOf(input, key)) app.handleKey(press);
  });
  usePaste((text) => app.handlePaste(text));
  const { lines, cursor } = useSyncExternalStore(frame.subscribe, () => frame.at({ columns, rows, plain }));
  setCursorPosition(cursor);
  const size = plain ? {} : { width: columns, height: rows };
  return h(Box, { flexDirection: "column", ...size }, ...lines.map((text, index) => h(Line, { key: index, text })));
}

/** An unchanged row is not measured again. */
const Line = memo(function Line({ text }: { text: string }): ReactNode {
  return h(Text, { wrap: "truncate-end" }, text === "" ? " " : text);
});

/** Loads markdown and syntax colours after the first paint. */
function useRichText(frame: ShownFrame): void {
  useEffect(() => {
    if (isRichTextLoaded()) return;
    let isGone = false;
    void loadRichText().then(() => !isGone && frame.touch());
    return () => {
      isGone = true;
    };
  }, [frame]);
}

/** Milliseconds between updates of ages and deadlines. */
const tick = 1_000;

/** A rendered frame. */
interface Shown {
  readonly lines: readonly string[];
  readonly cursor: Frame["cursor"];
}

/**
 * The current frame, for `useSyncExternalStore`: the same object as long as it shows the same. Ink redraws a whole frame on every render, and keys
 * wait meanwhile; many events, such as the app's own drafts echoed by the hub, change nothing on the screen.
 */
export class ShownFrame {
  readonly #app: App;
  readonly #painter: Painter;
  readonly #maker = new FrameMaker();
  readonly #listeners = new Set<() => void>();
  #shown: Shown | undefined;
  #madeOf: string | undefined;
  #touches = 0;

  constructor(app: App, painter: Painter) {
    this.#app = app;
    this.#painter = painter;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    const stop = this.#app.subscribe(listener);
    return () => {
      stop();
      this.#listeners.delete(listener);
    };
  };

  /** Forces a new frame after a change that the app doesn't see, such as the time. */
  touch(): void {
    this.#touches += 1;
    for (const listener of this.#listeners) listener();
  }

  /** Updates ages and deadlines, and keeps the process alive, until the returned function is called. */
  keepTime(): () => void {
    const { clock } = this.#app.options;
    const letEnd = clock.stayAlive?.();
    let cancel = (): void => {};
    const arm = () => {
      cancel = clock.setTimer(tick, () => {
        arm();
        this.touch();
      });
    };
    arm();
    return () => {
      cancel();
      letEnd?.();
    };
  }

  at(options: FrameOptions): Shown {
    const { columns, rows, plain } = options;
    const madeOf = [this.#app.getVersion(), this.#touches, columns, rows, plain].join(" ");
    if (this.#shown !== undefined && madeOf === this.#madeOf) return this.#shown;
    this.#madeOf = madeOf;
    const frame = this.#maker.frame(this.#app, options);
    const lines = (plain ? spoken(frame) : drawn(frame)).map((row) => this.#painter.paint(row));
    const next = { lines, cursor: plain ? undefined : frame.cursor };
    if (this.#shown === undefined || !isSame(this.#shown, next)) this.#shown = next;
    return this.#shown;
  }
}

/** One row per row of the screen, across all panes, since Ink's work per frame grows with the number of texts. */
function drawn({ bar, panes, height, hint }: Frame): Row[] {
  const lines = Array.from({ length: height }, (_, index) =>
    beside(panes.map(({ rows, width }) => ({ row: rows[index] ?? emptyRow, width }))),
  );
  return [...(bar === undefined ? [] : [bar]), ...lines, hint];
}

/** For a screen reader: the rows one after the other, without empty ones. */
function spoken({ bar, panes, hint }: Frame): Row[] {
  return [...(bar === undefined ? [] : [bar]), ...panes.flatMap(({ rows }) => rows), hint].filter((row) => row.length > 0);
}

function isSame(one: Shown, other: Shown): boolean {
  return (
    one.cursor?.x === other.cursor?.x &&
    one.cursor?.y === other.cursor?.y &&
    one.lines.length === other.lines.length &&
    one.lines.every((text, index) => text === other.lines[index])
  );
}

const named = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  ["delete", "delete"],
] as const;

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The keys in one input event of Ink: a terminal sends several at once if they come fast, and an input method sends whole words. */
export function keysOf(input: string, key: InkKey): KeyPress[] {
  if (key.eventType === "release") return [];
  const modifiers = `${key.ctrl ? "ctrl+" : ""}${key.meta && !key.escape ? "alt+" : ""}${key.super ? "super+" : ""}`;
  const special = named.find(([flag]) => key[flag]);
  if (special !== undefined) return [{ name: `${modifiers}${key.shift ? "shift+" : ""}${special[1]}` }];
  if (input === "") return [];
  if (modifiers !== "") return [{ name: `${modifiers}${input === " " ? "space" : input.toLowerCase()}` }];
  return typed(input);
}

function typed(input: string): KeyPress[] {
  const keys: KeyPress[] = [];
  for (const { segment } of segmenter.segment(input)) {
    if (segment === "\r") keys.push({ name: "enter" });
    else if (segment === "\n" || segment === "\r\n") keys.push({ name: "ctrl+j" });
    else if (segment === "\t") keys.push({ name: "tab" });
    else if (/^\p{Cc}$/u.test(segment)) keys.push(...controlKey(segment));
    else keys.push({ name: segment === " " ? "space" : segment, text: segment });
  }
  return keys;
}

/** Ctrl and a letter, if it arrived together with text. */
function controlKey(control: string): KeyPress[] {
  const code = control.charCodeAt(0);
  return code >= 1 && code <= 26 ? [{ name: `ctrl+${String.fromCharCode(code + 96)}` }] : [];
}

/** Text with several line breaks in one input event is a paste that the terminal didn't mark as one. */
function isUnmarkedPaste(input: string): boolean {
  const end = input.search(/[\r\n]/);
  return input.length > 2 && end >= 0 && input.slice(end).trim() !== "";
}
