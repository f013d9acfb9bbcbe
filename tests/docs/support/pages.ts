import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { marked, type Token, type Tokens } from "marked";

export const root = resolve(import.meta.dirname, "../../..");

/** A block of code in a page. */
export interface CodeBlock {
  page: string;
  /** Counted from 1. */
  line: number;
  language: string;
  text: string;
  /** The text of the comment `<!-- sample: … -->` right before it. */
  note: string | undefined;
}

export interface Page {
  /** Relative to the root of the workspace, such as `docs/start.md`. */
  name: string;
  text: string;
  tokens: Token[];
}

const folders = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);

function filesOf(): string[] {
  const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((name) => !/\/(\.vitepress|public|node_modules)\/|\[/.test(name));
  const readmes = [...["packages", "packages/agents", "packages/reach", "apps"].flatMap(folders), "examples"].map(
    (folder) => `${folder}/README.md`,
  );
  return ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", ...readmes, ...inDocs].filter(
    (name) => name.endsWith(".md") && existsSync(join(root, name)),
  );
}

/** All text of the workspace for readers, without the pages' front matter. */
export const pages: readonly Page[] = filesOf().map((name) => {
  const text = readFileSync(join(root, name), "utf8").replace(/^---\n[\s\S]*?\n---\n/, (matter) => matter.replace(/[^\n]/g, ""));
  return { name, text, tokens: marked.lexer(text) };
});

/** All tokens of a page, including nested ones. */
export function tokensOf({ tokens }: Page): Token[] {
  const all: Token[] = [];
  void marked.walkTokens(tokens, (token) => void all.push(token));
  return all;
}

/** A heading's text without its markup. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      "tokens" in token && token.tokens !== undefined ? plainText(token.tokens) : token.type === "html" ? "" : unescaped(token),
    )
    .join("");
}

const unescaped = (token: Token) =>
  (token as Tokens.Text).text
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'");

/** The code blocks of a page or of docstrings. */
export function codeBlocks({ name, text }: Pick<Page, "name" | "text">): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = text.split("\n");
  let open: { fence: string; block: CodeBlock } | undefined;
  for (const [index, line] of lines.entries()) {
    const [, indent = "", fence, info = ""] = /^(\s*)(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open !== undefined && line.trim() === open.fence) {
      blocks.push(open.block);
      open = undefined;
    } else if (open !== undefined) {
      open.block.text += `${line}\n`;
    } else if (fence !== undefined && indent.length < 4) {
      const language = info.trim().split(/\s/)[0] ?? "";
      open = { fence, block: { page: name, line: index + 1, language, text: "", note: noteBefore(lines, index) } };
    }
  }
  if (open !== undefined) throw new Error(`${name}:${open.block.line}: this block of code is not closed.`);
  return blocks;
}

/** The comment that ends right above a line, on one or several lines. */
function noteBefore(lines: readonly string[], index: number): string | undefined {
  const above = lines.slice(Math.max(0, index - 40), index).join("\n");
  return /<!-- sample: ((?:(?!-->)[\s\S])*?)\s?-->$/.exec(above)?.[1];
}

export const allBlocks = (): CodeBlock[] => pages.flatMap(codeBlocks);

/** The name of a block in a test. */
export const placeOf = ({ page, line }: CodeBlock): string => `${relative(".", page)}:${line}`;
