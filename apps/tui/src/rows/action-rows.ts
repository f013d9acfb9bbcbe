import type { Action } from "@askbox/core";
import { diffLines, documentLines } from "@askbox/core/documents";
import { type ActionPart, actionParts } from "@askbox/core/questions";
import { actionLabels } from "@askbox/inbox/text";
import { exactText, suspectCharacters } from "@askbox/terminal-text";
import { richRows } from "../markdown/rich-text.ts";
import { emptyRow, prefixed, type Row, span, wrap } from "../text/row.ts";
import { diffTokens, digitsOf, lineRows } from "./document-rows.ts";

const indent = span("  ");

const kept = new WeakMap<Action, { width: number; plain: boolean; rows: Row[] }>();

/** The whole action, wrapped: nothing that needs approval is cut. */
export function actionRows(action: Action, width: number, plain: boolean): Row[] {
  const known = kept.get(action);
  if (known?.width === width && known.plain === plain) return known.rows;
  const parts = actionParts(action);
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
  kept.set(action, { width, plain, rows });
  return rows;
}

const documents = new WeakMap<object, { width: number; rows: Row[] }>();

/** A review's whole document, with the numbers of its lines. */
export function documentRows(question: { document: string }, width: number): Row[] {
  const known = documents.get(question);
  if (known?.width === width) return known.rows;
  const lines = documentLines(question.document);
  const digits = digitsOf(lines);
  const rows = [...lines.flatMap((line) => lineRows(line, digits, width)), emptyRow];
  documents.set(question, { width, rows });
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
