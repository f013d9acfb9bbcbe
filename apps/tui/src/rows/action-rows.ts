/** An action that an agent asks to do. It is wrapped and never cut; the rows of a long one are kept, since every key draws a frame. */
import type { Action } from "@askbox/core";
import { diffLines } from "@askbox/core/documents";
import { type ActionPart, actionParts, type Denial } from "@askbox/core/questions";
import { actionLabels, denialPhrases, denialText } from "@askbox/inbox/text";
import { exactText, suspectCharacters } from "@askbox/terminal-text";
import { richRows } from "../markdown/rich-text.ts";
import { emptyRow, prefixed, type Row, span, wrap } from "../text/row.ts";
import { diffTokens } from "./document-rows.ts";

const indent = span("  ");

const kept = new WeakMap<Action, { width: number; plain: boolean; machine: string | undefined; rows: Row[] }>();

/** Who has denied an action already, and why, above it. `isOpen`: what can still be done about it. */
export function denialRows(denial: Denial | undefined, { width, isOpen }: { width: number; isOpen: boolean }): Row[] {
  if (denial === undefined) return [];
  const { reason } = denial;
  return [
    ...wrap([span(denialText(denial, exactText), "error", { strong: true })], width),
    ...(reason === undefined ? [] : prefixed(wrap([span(reason)], width - 2), indent)),
    ...(isOpen ? wrap([span(denialPhrases.note, "dim")], width) : []),
    emptyRow,
  ];
}

/** The whole action, wrapped: nothing that needs approval is cut. */
export function actionRows(action: Action, machine: string | undefined, width: number, plain: boolean): Row[] {
  const known = kept.get(action);
  if (known?.width === width && known.plain === plain && known.machine === machine) return known.rows;
  const parts = actionParts(action, machine);
  const suspects = [...new Set(parts.flatMap(({ text }) => suspectCharacters(text)))];
  const warning = `This contains characters that are invisible or look like others: ${suspects.join(", ")}`;
  const rows = [
    ...(suspects.length === 0 ? [] : wrap([span(warning, "error")], width)),
    ...parts.flatMap((part) => {
      const label = span(`${actionLabels[part.name]}:`, "dim");
      if (part.as === "line") return wrap([span(exactText(part.text), "text")], width, { first: [label, span(" ")], rest: [indent] });
      return [...wrap([label], width), ...prefixed(partRows(part, width - 2, plain), indent)];
    }),
  ];
  kept.set(action, { width, plain, machine, rows });
  return rows;
}

function partRows({ as, text }: ActionPart, width: number, plain: boolean): Row[] {
  if (as === "diff") {
    return diffLines(text).flatMap(({ kind, text: line }) => {
      const token = diffTokens[kind];
      return wrap([token === undefined ? span(exactText(line)) : span(exactText(line), token)], width);
    });
  }
  const exact = wrap([span(exactText(text), as === "code" ? "code" : "text")], width);
  // Rendered markdown hides some parts of the text, such as the target of a reference.
  return as === "markdown" ? [...richRows(text, width, plain), emptyRow, ...wrap([span("Raw text:", "dim")], width), ...exact] : exact;
}
