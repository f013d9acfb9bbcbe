/** A checklist as `askbox setup` shows it: its state and keys, which are pure, how it is drawn, and the program that runs it. */
import { type Clock, standardPlatform } from "@askbox/core";
import { Box, type SuspendTerminal, Text, useApp, useInput, useIsScreenReaderEnabled, useWindowSize } from "ink";
import { createElement as h, type ReactNode, useEffect, useRef, useState } from "react";
import type { KeyPress } from "../editor/editor.ts";
import { createTerminal, wantsScreenReader } from "../terminal/terminal.ts";
import { createPainter, type Painter } from "../text/painter.ts";
import { emptyRow, line, type Row, type Span, span, wrap } from "../text/row.ts";
import { colorDepthOf, themeWith } from "../theme/theme.ts";
import { keysOf, mountScreen } from "../ui/screen.ts";

/** One line of a checklist. */
interface Choice {
  id: string;
  label: string;
  /** What else there is to know about it, in a few words. */
  note?: string;
  /** Whether it can be selected. */
  isFixed?: boolean;
}

/** A line below the choices, wrapped to the screen. */
export interface PreviewLine {
  /** Columns, also of the rows that follow. */
  indent?: number;
  spans: readonly Span[];
}

/** What a checklist shows and asks. All text may come from outside. */
export interface Checklist {
  title: string;
  intro: string;
  choices: readonly Choice[];
  /** The ids that are selected at first. */
  selected: readonly string[];
  /** What the selection would do; `whole`: with all details. */
  preview(selected: ReadonlySet<string>, whole: boolean): readonly PreviewLine[];
  /** What Enter does with the selection, such as "set up 2"; undefined if it must not go on. */
  confirm(selected: ReadonlySet<string>): string | undefined;
}

interface ChecklistState {
  /** The index of the choice that keys act on. */
  at: number;
  selected: ReadonlySet<string>;
  whole: boolean;
  /** The first visible row, if it was scrolled by hand; otherwise the choice is kept in view. */
  top: number | undefined;
}

/** What the last frame showed, which keys that scroll start from. */
interface ChecklistView {
  top: number;
  maxTop: number;
  rows: number;
}

type ChecklistEffect = "confirm" | "leave" | "suspend" | "redraw" | undefined;

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

export const openChecklist = ({ choices, selected }: Checklist): ChecklistState => ({
  at: Math.max(
    0,
    choices.findIndex(({ isFixed }) => isFixed !== true),
  ),
  selected: new Set(selected),
  whole: false,
  top: undefined,
});

/** Handles a key; pure. */
export function pressChecklist(
  list: Checklist,
  state: ChecklistState,
  { name }: KeyPress,
  view: ChecklistView,
): { state: ChecklistState; effect?: ChecklistEffect } {
  const { at, selected, whole } = state;
  const move = (by: number) => ({ state: { ...state, at: Math.min(list.choices.length - 1, Math.max(0, at + by)), top: undefined } });
  const scroll = (by: number) => ({ state: { ...state, top: Math.min(view.maxTop, Math.max(0, view.top + by)) } });
  const page = Math.max(1, view.rows - 1);
  switch (name) {
    case "up":
    case "k":
      return move(-1);
    case "down":
    case "j":
      return move(1);
    case "pageup":
      return scroll(-page);
    case "pagedown":
      return scroll(page);
    case "home":
      return scroll(-view.top);
    case "end":
      return scroll(view.maxTop);
    case "space": {
      const choice = list.choices[at];
      if (choice === undefined || choice.isFixed) return { state };
      const next = new Set(selected);
      if (!next.delete(choice.id)) next.add(choice.id);
      return { state: { ...state, selected: next, top: undefined } };
    }
    case "a": {
      const free = list.choices.filter(({ isFixed }) => isFixed !== true).map(({ id }) => id);
      return { state: { ...state, selected: new Set(free.every((id) => selected.has(id)) ? [] : free), top: undefined } };
    }
    case "d":
      return { state: { ...state, whole: !whole } };
    case "enter":
      return list.confirm(selected) === undefined ? { state } : { state, effect: "confirm" };
    case "q":
    case "escape":
    case "ctrl+c":
      return { state, effect: "leave" };
    case "ctrl+z":
      return { state, effect: "suspend" };
    case "ctrl+l":
      return { state, effect: "redraw" };
    default:
      return { state };
  }
}

/** The rows of a checklist, and where its body is scrolled to. */
interface ChecklistFrame {
  rows: Row[];
  view: ChecklistView;
}

interface ChecklistSize {
  columns: number;
  rows: number;
  /** For a screen reader: everything, one row after the other. */
  plain: boolean;
}

/** All that is shown fits into the size: a title, a body that scrolls, and a line with the keys. */
export function checklistFrame(
  list: Checklist,
  state: ChecklistState,
  { columns, rows, plain }: ChecklistSize,
  before: number,
): ChecklistFrame {
  const bar = line([span(list.title, "heading")], columns);
  const { body, focus } = bodyRows(list, state, columns);
  const height = plain ? body.length : Math.max(1, rows - 2);
  const maxTop = Math.max(0, body.length - height);
  const top = Math.min(maxTop, state.top ?? (focus < before ? focus : Math.max(before, focus - height + 1)));
  const shown = body.slice(top, top + height);
  const fill = plain ? [] : Array.from({ length: height - shown.length }, () => emptyRow);
  const hint = hintRow(list, state, columns, maxTop - top);
  return { rows: [bar, ...shown, ...fill, hint], view: { top, maxTop, rows: height } };
}

function bodyRows(list: Checklist, { at, selected, whole }: ChecklistState, columns: number): { body: Row[]; focus: number } {
  const body: Row[] = [...wrap([span(list.intro)], columns), emptyRow];
  let focus = 0;
  const width = Math.max(...list.choices.map(({ label }) => label.length));
  for (const [index, { id, label, note, isFixed }] of list.choices.entries()) {
    const isAt = index === at;
    const mark = isFixed ? "   " : selected.has(id) ? "[x]" : "[ ]";
    const name: Span = isAt ? span(label.padEnd(width), "selection") : span(label.padEnd(width), isFixed ? "dim" : "text");
    if (isAt) focus = body.length;
    const first = [span(isAt ? "› " : "  ", "accent"), span(`${mark} `, selected.has(id) ? "success" : "dim"), name];
    if (note === undefined) body.push(line(first, columns));
    else if (columns >= 60) body.push(line([...first, span(`  ${note}`, "dim")], columns));
    else body.push(line(first, columns), line([span(`      ${note}`, "dim")], columns));
  }
  body.push(emptyRow);
  for (const { indent = 0, spans } of list.preview(selected, whole)) {
    body.push(...wrap(spans, columns, { first: [span(" ".repeat(2 + indent))] }));
  }
  return { body, focus };
}

function hintRow({ confirm }: Checklist, { selected, whole }: ChecklistState, columns: number, below: number): Row {
  const goes = confirm(selected);
  const hints: [string, string][] = [
    ...(goes === undefined ? [] : [["enter", goes] as [string, string]]),
    ["space", "select"],
    ["q", "leave"],
    ["d", whole ? "fewer lines" : "lines"],
    ...(below > 0 ? [["pgdn", `${below} more`] as [string, string]] : []),
  ];
  const shown: Span[] = [];
  let left = columns;
  for (const [key, words] of hints) {
    left -= key.length + words.length + 3;
    if (left < -2) break;
    shown.push(span(key, "accent"), span(` ${words}  `, "dim"));
  }
  return line(shown, columns);
}
