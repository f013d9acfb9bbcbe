/** An agent's Markdown without HTML, links with their real address, and code, whose colours come later. */
import { isTooHeavyForMarkdown, terminalText, withPlainHosts } from "@askbox/terminal-text";
import type { Root, RootContent } from "hast";
import { lexer, type Token, type Tokens } from "marked";
import { createContext, Fragment, type ReactNode, useContext, useEffect, useMemo, useState } from "react";

/** Schemes that an agent's links may have; all others are shown as text. */
const safeLink = /^(https?:|mailto:)/i;

/**
 * An agent's markdown as elements. Its text never becomes HTML: tags are shown as written, images as their
 * description, and only web and mail links can be followed.
 */
export function Markdown({ text, inline = false }: { text: string; inline?: boolean }) {
  const tokens = useMemo(() => readTokens(terminalText(text)), [text]);
  const only = tokens.length === 1 ? tokens[0] : undefined;
  if (inline && only?.type === "paragraph") return <bdi className="markdown">{inlines(only.tokens)}</bdi>;
  return <div className="markdown">{blocks(tokens)}</div>;
}

/** Whether nothing may be left out, such as where a link leads: somebody decides about the text. */
const WholeContext = createContext(false);

/** A block of a document, and the lines that it was written on, from 0. */
export interface MarkdownBlock {
  from: number;
  to: number;
  /** What was written. */
  source: string;
  node: ReactNode;
  kind: "heading" | "item" | "other";
}

/** A document as blocks, each item of a list by itself; undefined if it can't be read as markdown, or its lines aren't known then. */
export function markdownBlocks(document: string): MarkdownBlock[] | undefined {
  // Only line feeds make lines, as for the comments on them.
  const text = terminalText(document.replace(/\r\n/g, "\n").replace(/[\r\u2028\u2029\u0085]/g, "\uFFFD"));
  if (isTooHeavyForMarkdown(text)) return undefined;
  let tokens: Token[];
  try {
    tokens = lexer(text, { gfm: true, breaks: true });
  } catch {
    return undefined;
  }
  const parts = tokens.flatMap((token) => (token.type === "list" ? itemsOf(token as Tokens.List) : token));
  if (parts.map(({ raw }) => raw).join("") !== text) return undefined;
  const found: MarkdownBlock[] = [];
  let line = 0;
  for (const token of parts) {
    const { raw, type } = token;
    const source = raw.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
    const from = line + linesIn(raw.slice(0, raw.indexOf(source)));
    if (type !== "space" && source !== "") {
      const kind = type === "heading" || type === "list" ? (type === "list" ? "item" : type) : "other";
      const node = type === "def" ? <p dir="auto">{raw}</p> : block(token);
      found.push({ from, to: from + linesIn(source), source, kind, node: <WholeContext value={true}>{node}</WholeContext> });
    }
    line += linesIn(raw);
  }
  return found;
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Each item as a list of its own. */
const itemsOf = (list: Tokens.List): Token[] =>
  list.items.map((item, index) => ({ ...list, raw: item.raw, items: [item], start: list.ordered ? Number(list.start || 1) + index : "" }));

function readTokens(text: string): Token[] {
  try {
    if (!isTooHeavyForMarkdown(text)) return lexer(text, { gfm: true, breaks: true });
  } catch {
    // Nested too deeply to parse.
  }
  return [{ type: "paragraph", raw: text, text, tokens: [{ type: "text", raw: text, text }] }];
}

/** Tokens have no identity and never move. */
function each(tokens: readonly Token[] | undefined, draw: (token: Token) => ReactNode): ReactNode {
  return (tokens ?? []).map((token, index) => <Fragment key={`${index}${token.type}`}>{draw(token)}</Fragment>);
}

const blocks = (tokens: readonly Token[] | undefined): ReactNode => each(tokens, block);
const inlines = (tokens: readonly Token[] | undefined): ReactNode => each(tokens, inline);

/** Each block has its own writing direction. */
function block(token: Token): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "paragraph":
      return <p dir="auto">{inlines(token.tokens)}</p>;
    case "heading":
      // Headings in a question are below those of the page.
      return (
        <p className="markdown-heading" data-level={token["depth"]} dir="auto">
          {inlines(token.tokens)}
        </p>
      );
    case "code":
      return <Code text={token["text"]} language={token["lang"]} />;
    case "blockquote":
      return <blockquote>{blocks(token.tokens)}</blockquote>;
    case "hr":
      return <hr />;
    case "list":
      return list(token as Tokens.List);
    case "table":
      return table(token as Tokens.Table);
    case "text":
      return token.tokens === undefined ? withPlainHosts(plain(token)) : inlines(token.tokens);
    case "html":
      return <p dir="auto">{token.raw}</p>;
    default:
      return inline(token);
  }
}

function inline(token: Token): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inlines(token.tokens)}</strong>;
    case "em":
      return <em>{inlines(token.tokens)}</em>;
    case "del":
      return <del>{inlines(token.tokens)}</del>;
    case "codespan":
      return <code>{plain(token)}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link {...(token as Tokens.Link)} />;
    case "image":
      return plain(token);
    case "text":
      return "tokens" in token && token.tokens !== undefined ? inlines(token.tokens) : withPlainHosts(plain(token));
    case "escape":
      return plain(token);
    default:
      return token.raw;
  }
}

function plain(token: Token): string {
  return "text" in token && typeof token["text"] === "string" ? token["text"] : token.raw;
}

function Link({ href, tokens, text }: Tokens.Link) {
  const isWhole = useContext(WholeContext);
  if (!safeLink.test(href)) return inlines(tokens);
  const target = safeTarget(href);
  // Shows a link's target if its text doesn't.
  const hint = text === href || target === undefined ? undefined : isWhole ? href : target.host || target.pathname;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {inlines(tokens)}
      {hint !== undefined && <span className="link-target"> ({hint})</span>}
    </a>
  );
}

function safeTarget(href: string): URL | undefined {
  try {
    return new URL(href);
  } catch {
    return undefined;
  }
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  const children = items.map((item, index) => <li key={`${index}${item.raw.length}`}>{blocks(item.tokens)}</li>);
  return ordered ? (
    <ol start={start === "" ? 1 : start} dir="auto">
      {children}
    </ol>
  ) : (
    <ul dir="auto">{children}</ul>
  );
}

function table({ header, rows }: Tokens.Table): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too.
    <section className="table-scroll" tabIndex={0} aria-label={header.map((cell) => cell.text).join(", ")}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={`${index}${cell.text}`} dir="auto" data-align={cell.align ?? undefined}>
                {inlines(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index}${row.length}`}>
              {row.map((cell, column) => (
                <td key={`${column}${cell.text}`} dir="auto" data-align={cell.align ?? undefined}>
                  {inlines(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Longer code is not coloured, since this would block the page. */
export const maxCode = 20_000;

/** Code, coloured once the highlighter is loaded; the layout doesn't change. */
function Code({ text, language }: { text: string; language?: string | undefined }) {
  const [tree, setTree] = useState<{ of: string; root: Root }>();
  const name = language?.trim().split(/\s+/)[0]?.toLowerCase();
  const isWhole = useContext(WholeContext);

  useEffect(() => {
    if (text.length > maxCode) return;
    let left = false;
    import("./highlight.ts").then(
      ({ highlight }) => {
        const root = highlight(text, name);
        if (!left && root !== undefined) setTree({ of: text, root });
      },
      // Without the hub there are no colours, but the code is shown.
      () => {},
    );
    return () => {
      left = true;
    };
  }, [text, name]);

  return (
    <>
      {isWhole && language?.trim() && <p className="code-language">{language}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide code is scrolled by keyboard too. */}
      <pre className="code" tabIndex={0} dir="ltr">
        <code>{tree?.of === text ? nodes(tree.root.children) : text}</code>
      </pre>
    </>
  );
}

function nodes(children: readonly RootContent[]): ReactNode {
  return children.map((node, index) => <Fragment key={`${index}${node.type}`}>{draw(node)}</Fragment>);
}

function draw(node: RootContent): ReactNode {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return null;
  const names = node.properties["className"];
  return <span className={Array.isArray(names) ? names.join(" ") : undefined}>{nodes(node.children)}</span>;
}

/** Signs that a text was written as markdown: fences, headings, lists, emphasis, links, tables. */
const hasMarkdown = (line: string): boolean =>
  /^(```|#{1,6} )|\*\*\S|\]\(/.test(line) ||
  /^([-*]|\d{1,9}\.) \S/.test(line.trimStart()) ||
  (line.startsWith("|") && line.endsWith("|") && line.length > 2);

/** An option's preview: as markdown if it is written so, otherwise as code or ASCII art. */
export function Preview({ text }: { text: string }) {
  return text.split("\n").some(hasMarkdown) ? <Markdown text={text} /> : <Code text={terminalText(text)} />;
}
