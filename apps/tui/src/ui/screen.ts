import { Box, type SuspendTerminal, Text, useApp, useCursor, useInput, useIsScreenReaderEnabled, usePaste, useWindowSize } from "ink";
import { createElement as h, memo, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import type { App } from "../app/app.ts";
import { isRichTextLoaded, loadRichText } from "../markdown/rich-text.ts";
import type { Painter } from "../text/painter.ts";
import { isUnmarkedPaste, keysOf } from "./ink-keys.ts";
import { ShownFrame } from "./shown-frame.ts";

export interface ScreenProps {
  app: App;
  painter: Painter;
  /** Receives the function that hands the terminal to another program. */
  onTerminal(suspend: SuspendTerminal): void;
}

/** Draws the app's frame and passes it keys, without knowing the meaning of either. */
export function Screen({ app, painter, onTerminal }: ScreenProps): ReactNode {
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
