import { type Clock, standardPlatform } from "@askbox/core";
import { Box, type SuspendTerminal, Text, useApp, useInput, useIsScreenReaderEnabled, useWindowSize } from "ink";
import { createElement as h, type ReactNode, useEffect, useRef, useState } from "react";
import { wantsScreenReader } from "../terminal/screen-reader.ts";
import { createTerminal } from "../terminal/terminal.ts";
import { createPainter, type Painter } from "../text/painter.ts";
import { colorDepthOf } from "../theme/colors.ts";
import { themeWith } from "../theme/theme.ts";
import { keysOf } from "../ui/ink-keys.ts";
import { mountScreen } from "../ui/mount.ts";
import { type Checklist, type ChecklistEffect, openChecklist, pressChecklist } from "./checklist.ts";
import { checklistFrame } from "./checklist-rows.ts";

export interface RunChecklistOptions {
  /** The user's own styles. */
  theme?: Readonly<Record<string, string>> | undefined;
  /** The process that owns the terminal; default this one. */
  host?: NodeJS.Process;
  /** Default the process's. */
  clock?: Clock;
}

/** Shows a checklist until the user confirms it; resolves with the selected ids, or undefined if they left. Needs a terminal. */
export async function runChecklist(list: Checklist, options: RunChecklistOptions = {}): Promise<ReadonlySet<string> | undefined> {
  const { theme: own, host = process, clock = standardPlatform(globalThis).clock } = options;
  const { promise, resolve } = Promise.withResolvers<ReadonlySet<string> | undefined>();
  const terminal = createTerminal({ process: host, stdout: host.stdout, clock, leave: () => resolve(undefined) });
  const onEffect = (effect: ChecklistEffect, selected: ReadonlySet<string>) => {
    if (effect === "confirm") resolve(selected);
    else if (effect === "leave") resolve(undefined);
    else if (effect !== undefined) terminal.host[effect]();
  };
  const painter = createPainter(themeWith(own).theme, colorDepthOf(host.env));
  const element = h(ChecklistScreen, { list, painter, onEffect, onTerminal: terminal.lend });
  terminal.attach(mountScreen(element, { stdin: host.stdin, stdout: host.stdout, screenReader: wantsScreenReader(host.env), clock }));
  const selected = await promise;
  await terminal.detach();
  return selected;
}

interface ScreenProps {
  list: Checklist;
  painter: Painter;
  onEffect(effect: ChecklistEffect, selected: ReadonlySet<string>): void;
  /** Receives the function that hands the terminal to another program. */
  onTerminal(suspend: SuspendTerminal): void;
}

function ChecklistScreen({ list, painter, onEffect, onTerminal }: ScreenProps): ReactNode {
  const { suspendTerminal } = useApp();
  useEffect(() => onTerminal(suspendTerminal), [onTerminal, suspendTerminal]);
  const { columns, rows } = useWindowSize();
  const plain = useIsScreenReaderEnabled();
  const [state, setState] = useState(() => openChecklist(list));
  // Several keys may arrive before the next render.
  const current = useRef(state);
  const view = useRef({ top: 0, maxTop: 0, rows: 1 });
  const frame = checklistFrame(list, state, { columns, rows, plain }, view.current.top);
  view.current = frame.view;
  useInput((input, key) => {
    for (const press of keysOf(input, key)) {
      const step = pressChecklist(list, current.current, press, view.current);
      current.current = step.state;
      onEffect(step.effect, step.state.selected);
    }
    setState(current.current);
  });
  const size = plain ? {} : { width: columns, height: rows };
  const lines = frame.rows.map((row) => painter.paint(row));
  return h(
    Box,
    { flexDirection: "column", ...size },
    ...lines.map((text, index) => h(Text, { key: index, wrap: "truncate-end" }, text === "" ? " " : text)),
  );
}
