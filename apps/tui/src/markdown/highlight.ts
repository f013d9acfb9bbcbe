import { common, createLowlight } from "lowlight";
import { type Span, span } from "../text/row.ts";
import type { Token } from "../theme/theme.ts";

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
export function highlighted(code: string, language?: string): Span[][] {
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
