import { marked, type Token, type Tokens } from "marked";

/** Tables and samples that a program writes into a page, and that say nothing but what is in the code; the commands' flags say more. */
const generated = /<!-- (?!commands)(?<name>[a-z]+): generated -->[\s\S]*?<!-- \k<name>: end -->/g;
/** What holds a promise is not one: the lists under the promises of docs/guarantees.md. */
const proof = /^(?:Rests on|Held by):[\s\S]*?(?=^$)|^- `[^`]+\.ts`: ".*"$/gm;
/** Where a sentence ends: not within `3.5`, and not after the bold words that begin an item of a list. */
const sentenceEnd = /(?<=[.!?][)"_]*)\s+(?=["(*_`[]*(?:[A-Z0-9`…]|askbox\b))/;
const wholeTag = /^<[^>]+>$/;
const wholeImage = /^!\[[^\]]*\]\([^)]*\)$/;

/**
 * Everything that a page says, in its order and with one space for each run of white space: each sentence of its paragraphs and
 * lists, and each row of its tables with ` | ` between the cells. Headings, samples and generated parts say nothing of their own.
 */
export function statementsOf(markdown: string): string[] {
  const text = markdown.replaceAll(generated, "").replaceAll(proof, "");
  return [...new Set(marked.lexer(text).flatMap(ofToken))];
}

function ofToken(token: Token): string[] {
  if (token.type === "list") return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(ofToken));
  if (token.type === "blockquote") return (token as Tokens.Blockquote).tokens.flatMap(ofToken);
  if (token.type === "table") return (token as Tokens.Table).rows.map((cells) => cells.map(({ text }) => oneLine(text)).join(" | "));
  if (token.type === "paragraph" || token.type === "text") return sentences((token as Tokens.Paragraph).raw);
  return [];
}

function sentences(text: string): string[] {
  const parts = oneLine(text).split(sentenceEnd);
  return parts.filter((part) => part !== "" && !wholeTag.test(part) && !wholeImage.test(part));
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
