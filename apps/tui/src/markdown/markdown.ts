import { isTooHeavyForMarkdown } from "@askbox/react";
import { withPlainHosts } from "@askbox/terminal-text";
import { lexer, type Token as MarkdownToken, type Tokens } from "marked";
import { emptyRow, line, prefixed, type Row, type Span, span, wrap } from "../text/row.ts";
import { highlighted } from "./highlight.ts";

/** Markdown as rows of at most `width` columns. Raw HTML, and whatever it does not know, is shown as it is written. */
export function markdownRows(text: string, width: number): Row[] {
  try {
    if (!isTooHeavyForMarkdown(text)) return trimmed(blocks(lexer(text, { gfm: true, breaks: true }), width));
  } catch (error) {
    // Nested deeper than it can be read.
    if (!(error instanceof RangeError)) throw error;
  }
  return wrap([span(withPlainHosts(text))], width);
}

function blocks(tokens: readonly MarkdownToken[], width: number): Row[] {
  return tokens.flatMap((token) => block(token as Tokens.Generic, width));
}

function block(token: Tokens.Generic, width: number): Row[] {
  switch (token.type) {
    case "space":
      return [emptyRow];
    case "heading":
      return [...wrap(inline(token.tokens ?? [], { token: "heading", strong: true }), width), emptyRow];
    case "paragraph":
      return [...wrap(inline(token.tokens ?? []), width), emptyRow];
    case "code":
      return [...codeRows(token["text"], width, token["lang"]), emptyRow];
    case "blockquote":
      return prefixed(trimmed(blocks(token.tokens ?? [], width - 2)), span("│ ", "dim")).concat([emptyRow]);
    case "list":
      return [...listRows(token as Tokens.List, width), emptyRow];
    case "hr":
      return [line([span("─".repeat(width), "dim")], width)];
    case "table":
      return [...tableRows(token as Tokens.Table, width), emptyRow];
    case "text":
      return wrap(inline(token.tokens ?? [token]), width);
    case "def":
      return [];
    default:
      // linear: a run is tried from its first character only.
      return wrap([span(token.raw.replace(/(?<!\n)\n+$/, ""))], width);
  }
}

function listRows({ items, ordered, start }: Tokens.List, width: number): Row[] {
  return items.flatMap((item, index) => {
    const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
    const mark = `${ordered ? `${Number(start || 1) + index}.` : "•"} ${box}`;
    const rows = trimmed(blocks(item.tokens, width - mark.length));
    const lead = prefixed(rows.slice(0, 1), span(mark, "accent"));
    return [...lead, ...prefixed(rows.slice(1), span(" ".repeat(mark.length)))];
  });
}

/** A table as a list of its rows: columns side by side fall apart on a narrow screen. */
function tableRows({ header, rows }: Tokens.Table, width: number): Row[] {
  return rows.flatMap((cells) =>
    cells.flatMap((cell, index) => {
      const name = header[index]?.text ?? "";
      return wrap([span(name === "" ? "" : `${name}: `, "heading"), ...inline(cell.tokens)], width, {
        first: [span(index === 0 ? "• " : "  ", "accent")],
      });
    }),
  );
}

/** Code, highlighted where its language is known, behind a bar; long lines are wrapped, not cut. */
export function codeRows(code: string, width: number, language?: string): Row[] {
  const rows = highlighted(code.replace(/\t/g, "  "), language).flatMap((spans) =>
    wrap(spans.length === 0 ? [span("")] : spans, width - 2),
  );
  return prefixed(rows, span("│ ", "dim"));
}

type Style = Omit<Span, "text">;

function inline(tokens: readonly MarkdownToken[], style: Style = {}): Span[] {
  return tokens.flatMap((given): Span[] => {
    const token = given as Tokens.Generic;
    const inner = (more: Style) => inline(token.tokens ?? [], { ...style, ...more });
    switch (token.type) {
      case "strong":
        return inner({ strong: true });
      case "em":
        return inner({ emphasis: true });
      case "del":
        return inner({ strike: true });
      case "codespan":
        return [{ ...style, text: token["text"], token: "code" }];
      case "br":
        return [{ ...style, text: "\n" }];
      case "link":
        return linkSpans(token as unknown as Tokens.Link, inner({ token: "link" }));
      case "image":
        return [
          { ...style, text: token["text"] || "image" },
          { ...style, text: ` (${withPlainHosts(token["href"])})`, token: "dim" },
        ];
      case "escape":
        return [{ ...style, text: token["text"] }];
      case "text":
        return token.tokens === undefined ? [{ ...style, text: withPlainHosts(token["text"]) }] : inner({});
      default:
        return [{ ...style, text: token.raw }];
    }
  });
}

/** The address is shown whenever it is not the text, with its host as it is: a reader must see where a link goes. */
function linkSpans({ href, text }: Tokens.Link, shown: Span[]): Span[] {
  return href === text || href === `mailto:${text}` ? shown : [...shown, { text: ` (${withPlainHosts(href)})`, token: "dim" }];
}

function trimmed(rows: Row[]): Row[] {
  let end = rows.length;
  while (end > 0 && rows[end - 1]?.length === 0) end -= 1;
  return rows.slice(0, end);
}
