import { cut } from "../cut.ts";
import type { Comment } from "../session/answer.ts";
import { type DocumentLine, documentLines, type Place } from "./document-lines.ts";

/** The maximum length of a quotation, in UTF-16 units. */
const maxQuote = 2_000;
/** How many of its lines the list repeats. */
const maxQuotedLines = 3;

/** What can be commented by line: a review's document, or the diff or plan of an action. */
export function documentOf(question: object): string | undefined {
  if ("document" in question) return String(question.document);
  if (!("action" in question)) return undefined;
  const { diff, text } = question.action as { diff?: string; text?: string };
  return diff ?? text;
}

/**
 * The comments with the text of the lines they are about. A comment whose lines are not in the document, or don't have the text that it
 * quotes, is the sentence that says so.
 */
export function anchored(document: string, comments: readonly Comment[]): Comment[] | string {
  const lines = documentLines(document);
  const places = new Map<string, number>();
  for (const [index, { place }] of lines.entries()) if (place !== undefined) places.set(keyOf(place), index);
  const result: Comment[] = [];
  for (const comment of comments) {
    const { line, endLine, quote } = comment;
    const [start, end] = [places.get(keyOf(comment)), places.get(keyOf({ ...comment, line: endLine ?? line }))];
    if (start === undefined || end === undefined || end < start) return `${placeText(comment)} is not in the document.`;
    const text = quoteOf(lines, start, end);
    if (quote !== undefined && quote !== text) return `${placeText(comment)} doesn't have the text that is quoted.`;
    result.push({ ...comment, quote: text });
  }
  return result;
}

const keyOf = ({ path, side, line }: Place | Comment): string => `${side} ${line} ${path}`;

/** The text of lines, of the side of the first, without signs. */
function quoteOf(lines: readonly DocumentLine[], start: number, end: number): string {
  const side = lines[start]?.place?.side;
  let text = "";
  for (let index = start; index <= end && text.length < maxQuote; index += 1) {
    const { text: line, diff, place } = lines[index] as DocumentLine;
    if (place === undefined || (place.side !== side && diff?.kind !== "same")) continue;
    text += `${index === start ? "" : "\n"}${diff === undefined ? line : line.slice(1)}`;
  }
  return cut(text, maxQuote, "");
}

/** The index of the last line of each comment; a comment whose line is gone has none. */
export function endsOf(lines: readonly DocumentLine[], comments: readonly Comment[]): (number | undefined)[] {
  if (comments.length === 0) return [];
  const places = new Map(lines.map(({ place }, index) => [place && keyOf(place), index]));
  return comments.map((comment) => places.get(keyOf({ ...comment, line: comment.endLine ?? comment.line })));
}

/** A new comment on lines, from one index to another in any order; undefined if these cannot be commented together. */
export function commentOn(lines: readonly DocumentLine[], from: number, to: number, text: string): Comment | undefined {
  const places = lines.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap(({ place }) => place ?? []);
  const side = places[0]?.side;
  const own = places.filter((place) => place.side === side && place.path === places[0]?.path);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { ...first, ...(last.line > first.line && { endLine: last.line }), text };
}

/** `src/a.ts:3-5 (old)`, or `Line 3`. */
export function placeText({ path, side, line, endLine }: Place & { endLine?: number | undefined }): string {
  const lines = endLine === undefined || endLine === line ? `${line}` : `${line}-${endLine}`;
  const where = path === undefined ? `${lines.includes("-") ? "Lines" : "Line"} ${lines}` : `${path}:${lines}`;
  return side === "old" ? `${where} (old)` : where;
}

/** The comments as a markdown list, with what they quote. */
export function commentList(comments: readonly Comment[]): string {
  return comments
    .map((comment) => {
      const quoted = comment.quote === undefined ? [] : comment.quote.split("\n");
      const shown = quoted.slice(0, maxQuotedLines).map((line) => `> ${line}`);
      const more = quoted.length > maxQuotedLines ? ["> …"] : [];
      return [`- ${placeText(comment)}`, ...[...shown, ...more, "", ...comment.text.split("\n")].map((line) => `  ${line}`.trimEnd())].join(
        "\n",
      );
    })
    .join("\n");
}
