import { isTooHeavyForMarkdown, withPlainHosts } from "@askbox/terminal-text";
import { lexer, type Token as MarkdownToken, type Tokens } from "marked";
import { emptyRow, line, prefixed, type Row, type Span, span, wrap } from "../text/row.ts";
import { highlighted } from "./highlight.ts";
import { tableRows } from "./table.ts";

/**
 * Markdown as rows of at most `width` columns. Raw HTML and unknown syntax are shown as written. With `plain`, for a
 * screen reader, tables become lists.
 */
export function markdownRows(text: string, width: number, plain = false): Row[] {
  try {
    if (!isTooHeavyForMarkdown(text)) return trimmed(blocks(lexer(text, { gfm: true, breaks: true }), width, plain));
  } catch (error) {
    // Nested too deeply to parse.
    if (!(error instanceof RangeError)) throw error;
  }
  return wrap([span(withPlainHosts(text))], width);
}

function blocks(tokens: readonly MarkdownToken[], width: number, plain: boolean): Row[] {
  const rows = tokens.flatMap((token) => block(token as Tokens.Generic, width, plain));
  // A block ends with an empty row, and so does the space after it.
  return rows.filter((row, index) => row.length > 0 || (rows[index - 1]?.length ?? 0) > 0);
}

function block(token: Tokens.Generic, width: number, plain: boolean): Row[] {
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
      return prefixed(trimmed(blocks(token.tokens ?? [], width - 2, plain)), span("│ ", "dim")).concat([emptyRow]);
    case "list":
      return [...listRows(token as Tokens.List, width, plain), emptyRow];
    case "hr":
      return [line([span("─".repeat(width), "dim")], width)];
    case "table":
      return [...tableRows(token as Tokens.Table, { width, plain, inline }), emptyRow];
    case "text":
      return wrap(inline(token.tokens ?? [token]), width);
    case "def":
      return [];
    default:
      // linear: a run is tried from its first character only.
      return wrap([span(token.raw.replace(/(?<!\n)\n+$/, ""))], width);
  }
}

function listRows({ items, ordered, start }: Tokens.List, width: number, plain: boolean): Row[] {
  return items.flatMap((item, index) => {
    const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
    const mark = `${ordered ? `${Number(start || 1) + index}.` : "•"} ${box}`;
    const rows = trimmed(blocks(item.tokens, width - mark.length, plain));
    const lead = prefixed(rows.slice(0, 1), span(mark, "accent"));
    return [...lead, ...prefixed(rows.slice(1), span(" ".repeat(mark.length)))];
  });
}

/** Code behind a bar, highlighted if its language is known; long lines are wrapped, not cut. */
export function codeRows(code: string, width: number, language?: string): Row[] {
  const rows = highlighted(code.replace(/\t/g, "  "), language).flatMap((spans) =>
    wrap(spans.length === 0 ? [span("")] : spans, width - 2),
  );
  return prefixed(rows, span("│ ", "dim"));
}

type Style = Omit<Span, "text">;

function inline(tokens: readonly MarkdownToken[], style: Style = {}): Span[] {
  return tokens.flatMap((each): Span[] => {
    const token = each as Tokens.Generic;
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

/** Shows the address whenever it differs from the text, with the real host, so that the reader can see where a link goes. */
function linkSpans({ href, text }: Tokens.Link, shown: Span[]): Span[] {
  return href === text || href === `mailto:${text}` ? shown : [...shown, { text: ` (${withPlainHosts(href)})`, token: "dim" }];
}

function trimmed(rows: Row[]): Row[] {
  let end = rows.length;
  while (end > 0 && rows[end - 1]?.length === 0) end -= 1;
  return rows.slice(0, end);
}
