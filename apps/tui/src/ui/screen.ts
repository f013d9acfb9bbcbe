import { Box, type SuspendTerminal, Text, useApp, useCursor, useInput, useIsScreenReaderEnabled, usePaste, useWindowSize } from "ink";
import { createElement as h, memo, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import type { App } from "../app/app.ts";
import { isUnmarkedPaste, keysOf } from "../keys/key.ts";
import { isRichTextLoaded, loadRichText } from "../markdown/rich-text.ts";
import { type Frame, FrameMaker, paneGap } from "../rows/frame.ts";
import { line, type Row, span } from "../text/row.ts";
import type { Painter } from "../theme/painter.ts";

export interface ScreenProps {
  app: App;
  painter: Painter;
  /** Told how the terminal is lent to another program. */
  onTerminal(suspend: SuspendTerminal): void;
}

/** Milliseconds between looks at the clock: ages and deadlines. */
const tick = 1_000;

/** Draws the app's frame and hands it keys; it knows neither. */
export function Screen({ app, painter, onTerminal }: ScreenProps): ReactNode {
  useSyncExternalStore(app.subscribe, app.getVersion);
  const { suspendTerminal } = useApp();
  useEffect(() => onTerminal(suspendTerminal), [onTerminal, suspendTerminal]);
  useTicks();
  useRichText();
  const { columns, rows } = useWindowSize();
  const plain = useIsScreenReaderEnabled();
  const [maker] = useState(() => new FrameMaker());
  const { setCursorPosition } = useCursor();
  useInput((input, key) => {
    if (app.ui.editing !== undefined && !key.ctrl && !key.meta && isUnmarkedPaste(input)) return app.handlePaste(input);
    for (const press of keysOf(input, key)) app.handleKey(press);
  });
  usePaste((text) => app.handlePaste(text));
  const frame = maker.frame(app, { columns, rows, plain });
  setCursorPosition(plain ? undefined : frame.cursor);
  return plain ? spoken(frame, painter) : drawn(frame, painter, columns, rows);
}

function drawn({ bar, panes, height, hint }: Frame, painter: Painter, columns: number, rows: number): ReactNode {
  const children = panes.flatMap(({ rows: lines, width }, index) => [
    ...(index === 0 ? [] : [h(Separator, { key: `before-${index}`, height, painter })]),
    h(Pane, { key: index, lines: lines.slice(0, height), width, painter }),
  ]);
  return h(
    Box,
    { flexDirection: "column", width: columns, height: rows },
    bar === undefined ? undefined : h(Line, { text: painter.paint(bar) }),
    h(Box, { flexDirection: "row", height }, ...children),
    h(Line, { text: painter.paint(hint) }),
  );
}

/** Between two panes; one text, which stays as it is. */
const Separator = memo(function Separator({ height, painter }: { height: number; painter: Painter }): ReactNode {
  const row = painter.paint(line([span(" │ ", "border")], paneGap));
  return h(Box, { width: paneGap, height, flexShrink: 0 }, h(Text, null, Array.from({ length: height }, () => row).join("\n")));
});

/** For a screen reader: one row after the other, none of them empty. */
function spoken({ bar, panes, hint }: Frame, painter: Painter): ReactNode {
  const lines = [...(bar === undefined ? [] : [bar]), ...panes.flatMap(({ rows }) => rows), hint].filter((row) => row.length > 0);
  return h(Box, { flexDirection: "column" }, ...lines.map((row, index) => h(Line, { key: index, text: painter.paint(row) })));
}

/** A text for each row: Ink measures anew only those that have changed. */
function Pane({ lines, width, painter }: { lines: readonly Row[]; width: number; painter: Painter }): ReactNode {
  return h(Box, { flexDirection: "column", width }, ...lines.map((row, index) => h(Line, { key: index, text: painter.paint(row) })));
}

/** A row that looks as before is not drawn again. */
const Line = memo(function Line({ text }: { text: string }): ReactNode {
  return h(Box, { height: 1 }, h(Text, { wrap: "truncate-end" }, text === "" ? " " : text));
});

function useTicks(): void {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow((ticks) => ticks + 1), tick);
    return () => clearInterval(timer);
  }, []);
}

/** Markdown and colours of code come after the first paint. */
function useRichText(): void {
  const [, setLoaded] = useState(isRichTextLoaded);
  useEffect(() => {
    let isGone = false;
    void loadRichText().then(() => !isGone && setLoaded(true));
    return () => {
      isGone = true;
    };
  }, []);
}
