import type { SessionView } from "@askbox/core";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { richRows } from "../markdown/rich-text.ts";
import { emptyRow, line, prefixed, type Row, span, wrap } from "../text/row.ts";

/** That it is known what the agent was doing, in one line; the reader has all of it. */
export function backgroundLine({ asker: { background } }: SessionView, width: number): Row[] {
  const { said, steps, changes } = background ?? {};
  const first = said ?? steps?.at(-1) ?? changes?.trim().split("\n").at(-1);
  if (first === undefined) return [];
  return [emptyRow, line([span("Before it asked: ", "dim"), span(terminalLine(first), "dim")], width)];
}

/** What the agent was doing when it asked. */
export function backgroundRows({ asker: { background = {} } }: SessionView, width: number, plain: boolean): Row[] {
  const { said, steps = [], changes } = background;
  const heading = (words: string) => [emptyRow, line([span(words, "heading")], width)];
  const texts = (all: readonly string[]) =>
    prefixed(
      all.flatMap((text) => wrap([span(text)], width - 2)),
      span("  "),
    );
  return [
    ...(said === undefined ? [] : [...heading("It said before it asked"), ...prefixed(richRows(said, width - 2, plain), span("  "))]),
    ...(steps.length === 0 ? [] : [...heading("Its last steps"), ...texts(steps.map(terminalLine))]),
    ...(changes === undefined ? [] : [...heading("Changes since the last commit"), ...texts(terminalText(changes).split("\n"))]),
  ];
}
