/** Markdown as rows, with tables that fit or become lists, and code in colours. It is loaded after the first paint (`rich-text.ts`). */
import { isTooHeavyForMarkdown, withPlainHosts } from "@askbox/terminal-text";
import { common, createLowlight } from "lowlight";
import { lexer, type Token as MarkdownToken, type Tokens } from "marked";
import { aligned, beside, emptyRow, line, paneGap, prefixed, type Row, rowWidth, type Span, span, wrap } from "../text/row.ts";
import type { Token } from "../theme/theme.ts";

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

/** A block of a document: its first and last line, from 0, and its rows. */
export interface MarkdownBlock {
  from: number;
  to: number;
  rows: Row[];
}

/** Markdown block by block, the items of a list one by one, with nothing hidden; undefined if it can't be split by lines. */
export function markdownBlocks(text: string, width: number, plain = false): MarkdownBlock[] | undefined {
  if (isTooHeavyForMarkdown(text)) return undefined;
  try {
    const tokens = lexer(text, { gfm: true, breaks: true });
    if (tokens.map(({ raw }) => raw).join("") !== text.replaceAll("\r\n", "\n")) return undefined;
    const found: MarkdownBlock[] = [];
    let line = 0;
    const add = (raw: string, rows: Row[]) => {
      const own = raw.trimEnd();
      const before = linesIn(/^\s*/.exec(own)?.[0] ?? "");
      if (own !== "") found.push({ from: line + before, to: line + linesIn(own), rows: trimmed(rows) });
      line += linesIn(raw);
    };
    for (const token of tokens as Tokens.Generic[]) {
      if (token.type === "list") {
        const list = token as Tokens.List;
        for (const [index, item] of list.items.entries()) add(item.raw, itemRows(list, item, index, width, plain));
        line += linesIn(token.raw) - list.items.reduce((sum, { raw }) => sum + linesIn(raw), 0);
      } else add(token.raw, token.type === "def" ? wrap([span(token.raw.trim(), "dim")], width) : block(token, width, plain));
    }
    return found;
  } catch (error) {
    // Nested too deeply to parse.
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

const linesIn = (text: string): number => text.split("\n").length - 1;

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

const listRows = (list: Tokens.List, width: number, plain: boolean): Row[] =>
  list.items.flatMap((item, index) => itemRows(list, item, index, width, plain));

function itemRows({ ordered, start }: Tokens.List, item: Tokens.ListItem, index: number, width: number, plain: boolean): Row[] {
  const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
  const mark = `${ordered ? `${Number(start || 1) + index}.` : "•"} ${box}`;
  const rows = trimmed(blocks(item.tokens, width - mark.length, plain));
  const lead = prefixed(rows.slice(0, 1), span(mark, "accent"));
  return [...lead, ...prefixed(rows.slice(1), span(" ".repeat(mark.length)))];
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

/** In a narrower column, prose would break after every word. */
const minProse = 12;

/** Renders a cell's content as spans. */
type Inline = (tokens: Tokens.TableCell["tokens"]) => Span[];

interface TableOptions {
  width: number;
  /** For a screen reader: always a list. */
  plain: boolean;
  inline: Inline;
}

/** A table if its columns fit, otherwise a list of its rows. */
function tableRows(table: Tokens.Table, { width, plain, inline }: TableOptions): Row[] {
  const cells = [table.header, ...table.rows].map((row) => row.map(({ tokens }) => inline(tokens)));
  const widths = plain ? undefined : columnWidths(cells, width);
  return widths === undefined ? stackedRows(table, width, inline) : drawnRows(table, cells, widths);
}

/** The widths of the columns: their full width if it fits, otherwise a share of the rest; undefined if a word would be broken. */
function columnWidths(cells: readonly Span[][][], width: number): number[] | undefined {
  const columns = cells[0]?.length ?? 0;
  const most = (measure: (cell: Span[]) => number) =>
    Array.from({ length: columns }, (_, column) => Math.max(1, ...cells.map((row) => measure(row[column] ?? []))));
  const wanted = most((cell) => widestRow(wrap(cell, maxMeasured)));
  const least = most((cell) => Math.max(Math.min(minProse, widestRow(wrap(cell, maxMeasured))), longestWord(cell)));
  const room = width - paneGap * (columns - 1);
  if (sum(least) > room) return undefined;
  // Narrowest first: each gets what it needs, up to an equal share of the rest.
  const order = wanted.map((_, column) => column).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const widths = [...least];
  let left = room - sum(least);
  for (const [done, column] of order.entries()) {
    const more = Math.min((wanted[column] ?? 0) - (least[column] ?? 0), Math.floor(left / (columns - done)));
    widths[column] = (least[column] ?? 0) + more;
    left -= more;
  }
  return widths;
}

/** Wider than any terminal. */
const maxMeasured = 10_000;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const widestRow = (rows: readonly Row[]): number => Math.max(0, ...rows.map(rowWidth));

function longestWord(cell: readonly Span[]): number {
  const text = cell.map((part) => part.text).join("");
  // East Asian text can break between any two characters.
  const words = text.split(/\s|(?=[\u2e80-\uffdc])/);
  return Math.max(0, ...words.map((word) => widestRow(wrap([span(word)], maxMeasured))));
}

function drawnRows({ header, align }: Tokens.Table, cells: readonly Span[][][], widths: readonly number[]): Row[] {
  const rows = cells.map((row, index) => {
    const panes = widths.map((width, column) => {
      const words = (row[column] ?? []).map((part): Span => (index === 0 ? { ...part, token: "heading" } : part));
      return wrap(words, width).map((each) => aligned(each, width, align[column] ?? "left"));
    });
    const height = Math.max(...panes.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) =>
      beside(panes.map((pane, column) => ({ row: pane[at] ?? line([], 0), width: widths[column] ?? 0 }))),
    );
  });
  const rule = line([span(widths.map((width) => "─".repeat(width)).join("─┼─"), "border")], sum(widths) + paneGap * (header.length - 1));
  const [head = [], ...body] = rows;
  // Separates rows of several lines.
  const isTall = body.some(({ length }) => length > 1);
  return [...head, rule, ...body.flatMap((row, index) => (isTall && index > 0 ? [rule, ...row] : row))];
}

function stackedRows({ header, rows }: Tokens.Table, width: number, inline: Inline): Row[] {
  return rows.flatMap((cells) =>
    cells.flatMap((cell, index) => {
      const name = header[index]?.text ?? "";
      return wrap([span(name === "" ? "" : `${name}: `, "heading"), ...inline(cell.tokens)], width, {
        first: [span(index === 0 ? "• " : "  ", "accent")],
      });
    }),
  );
}

const lowlight = createLowlight(common);
type RootContent = ReturnType<typeof lowlight.highlight>["children"][number];
/** Below this relevance a guessed language does more harm than good. */
const sureEnough = 5;
/** Longer code is not coloured, since it would take too long. */
const longest = 50_000;

const tokenOfClass: readonly (readonly [RegExp, Token])[] = [
  [/comment|quote|meta/, "codeComment"],
  [/string|regexp|addition|symbol/, "codeString"],
  [/number|literal|variable|attr$/, "codeNumber"],
  [/keyword|selector-tag|deletion|operator/, "codeKeyword"],
  [/title|name|type|built_in|attribute|section|class/, "codeName"],
];

/** Code as one list of spans per line; plain if the language is unknown and can't be guessed. */
function highlighted(code: string, language?: string): Span[][] {
  const lines: Span[][] = [[]];
  const take = (text: string, token?: Token) => {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push(span(part, token));
    }
  };
  const walk = (nodes: readonly RootContent[], token?: Token) => {
    for (const node of nodes) {
      if (node.type === "text") take(node.value, token);
      else if (node.type === "element") walk(node.children as RootContent[], tokenOf(node.properties["className"]) ?? token);
    }
  };
  const tree = code.length > longest ? undefined : treeOf(code, language?.split(/[\s,{]/)[0]?.toLowerCase());
  if (tree === undefined) take(code);
  else walk(tree);
  return lines;
}

function treeOf(code: string, language: string | undefined): readonly RootContent[] | undefined {
  if (language !== undefined && language !== "")
    return lowlight.registered(language) ? lowlight.highlight(language, code).children : undefined;
  const guess = lowlight.highlightAuto(code);
  return (guess.data?.relevance ?? 0) >= sureEnough ? guess.children : undefined;
}

function tokenOf(className: unknown): Token | undefined {
  const name = Array.isArray(className) ? className.join(" ").replaceAll("hljs-", "") : "";
  return tokenOfClass.find(([pattern]) => pattern.test(name))?.[1];
}
