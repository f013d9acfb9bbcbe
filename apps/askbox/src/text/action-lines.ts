import type { Action, SessionView } from "@askbox/core";
import { type DiffLine, diffLines, documentLines } from "@askbox/core/documents";
import { actionParts } from "@askbox/core/questions";
import { actionLabels } from "@askbox/inbox/text";
import { exactText, suspectCharacters } from "@askbox/terminal-text";
import type { Output } from "../io.ts";
import { wrap, wrapExactly } from "./layout.ts";
import { type Paint, paintFor, type Style } from "./paint.ts";

const styles: Readonly<Partial<Record<DiffLine["kind"], Style>>> = { added: "green", removed: "red", hunk: "cyan", head: "dim" };

/** What a person has decided about, below the sentence that says so; empty if it was no action. */
export function decidedActions({ questions, asker }: Pick<SessionView, "questions" | "asker">, { columns, hasColors }: Output): string {
  const layout = { columns, indent: 2, paint: paintFor({ hasColors }) };
  return questions
    .flatMap((question) => ("action" in question ? actionLines(question.action, asker.machine, layout) : []))
    .map((row) => `${row}\n`)
    .join("");
}

/** A review's whole document. */
export function documentBlock({ document }: { document: string }, { columns, indent, paint }: Layout): string[] {
  const start = " ".repeat(indent + 2);
  return documentLines(document).flatMap(({ text, diff }) => {
    const style = diff && styles[diff.kind];
    return wrapExactly(exactText(text), columns - indent - 2).map((row) => `${start}${style === undefined ? row : paint(style, row)}`);
  });
}

interface Layout {
  columns: number;
  indent: number;
  paint: Paint;
}

/** The whole action: nothing that needs approval is shortened. */
export function actionLines(action: Action, machine: string | undefined, { columns, indent, paint }: Layout): string[] {
  const start = " ".repeat(indent);
  const parts = actionParts(action, machine);
  const suspects = [...new Set(parts.flatMap(({ text }) => suspectCharacters(text)))];
  const warning = `This contains characters that are invisible or look like others: ${suspects.join(", ")}`;
  const block = (text: string, style?: Style) =>
    wrapExactly(exactText(text), columns - indent - 2).map((row) => `${start}  ${style === undefined ? row : paint(style, row)}`);
  return [
    ...(suspects.length === 0 ? [] : [`${start}${paint("red", wrap(warning, columns, indent))}`]),
    ...parts.flatMap(({ name, as, text }) => [
      `${start}${paint("dim", `${actionLabels[name]}:`)}`,
      ...(as === "diff" ? diffLines(text).flatMap((line) => block(line.text, styles[line.kind])) : block(text)),
    ]),
  ];
}
