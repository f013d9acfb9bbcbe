import { type Row, span, wrap } from "../text/row.ts";

import type { MarkdownBlock } from "./markdown.ts";

type Markdown = typeof import("./markdown.ts");

let loaded: Markdown | undefined;
let loading: Promise<void> | undefined;

/** Loads the markdown parser and the highlighter after the first paint; until then text is shown as written. */
export function loadRichText(): Promise<void> {
  loading ??= import("./markdown.ts").then((module) => {
    loaded = module;
  });
  return loading;
}

export const isRichTextLoaded = (): boolean => loaded !== undefined;

/** The lines of a document's blocks, which are the same at every width. */
export const blocksOf = (text: string): readonly MarkdownBlock[] | undefined => richBlocks(text, 80, false);

/** Blocks by document and width; those of a document that can't be split are undefined, too. */
const keptBlocks = new Map<string, readonly MarkdownBlock[] | undefined>();

/** A document of markdown, block by block; undefined before the parser is loaded, or if it can't be split by lines. */
export function richBlocks(text: string, width: number, plain: boolean): readonly MarkdownBlock[] | undefined {
  const key = `${plain} ${width} ${text}`;
  if (loaded === undefined || keptBlocks.has(key)) return keptBlocks.get(key);
  if (keptBlocks.size >= 8) keptBlocks.clear();
  const blocks = loaded.markdownBlocks(text, width, plain);
  keptBlocks.set(key, blocks);
  return blocks;
}

const kept = new Map<string, Row[]>();
const keptTexts = 200;

/** Markdown as rows of at most `width` columns; `plain` is for a screen reader. */
export function richRows(text: string, width: number, plain: boolean): Row[] {
  return remembered(`markdown ${plain}`, text, width, () => loaded?.markdownRows(text, width, plain));
}

/** An option's preview: as markdown if it is written so, otherwise as code. */
export function previewRows(text: string, width: number, plain: boolean): Row[] {
  return remembered(`preview ${plain}`, text, width, () =>
    isMarkdown(text) ? loaded?.markdownRows(text, width, plain) : loaded?.codeRows(text, width),
  );
}

function remembered(kind: string, text: string, width: number, make: () => Row[] | undefined): Row[] {
  const key = `${kind} ${width} ${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const rows = make();
  if (rows === undefined) return wrap([span(text)], width);
  if (kept.size >= keptTexts) kept.clear();
  kept.set(key, rows);
  return rows;
}

/** Signs of markdown: fences, headings, lists, emphasis, links, or plain sentences without code punctuation. */
function isMarkdown(text: string): boolean {
  const lines = text.split("\n");
  return lines.some(hasMarkdown) || !lines.some(hasCode);
}

const hasMarkdown = (line: string): boolean =>
  /^(```|~~~|#{1,6} |[-*+] |\d{1,9}\. |> )/.test(line) ||
  (line.startsWith("|") && line.lastIndexOf("|") > 0) ||
  /\*\*\S|\]\(\S|`[^`]+`/.test(line);

const hasCode = (line: string): boolean =>
  /^\s\s+\S/.test(line) ||
  /=>|\(\)/.test(line) ||
  /[{};]$/.test(line.trimEnd()) ||
  /^(def|fn|func|class|import|const|let|var|SELECT|CREATE)\b/.test(line.trimStart());
