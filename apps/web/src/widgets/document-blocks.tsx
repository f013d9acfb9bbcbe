/** A markdown document as rendered blocks, with comments below each. What the rendering leaves out is shown as it was written. */
import { memo, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import type { MarkdownBlock } from "../markdown/markdown.tsx";
import { Chunk } from "./document-chunks.tsx";
import { Comments } from "./document-comments.tsx";
import type { FileLinesProps } from "./document-lines.tsx";

interface BlocksProps extends Omit<FileLinesProps, "file" | "isSmall" | "colours" | "isSplit"> {
  blocks: readonly MarkdownBlock[];
}

/** Blocks are rendered in groups of this size. */
const groupSize = 30;

export function DocumentBlocks({ blocks, ...context }: BlocksProps) {
  const groups = Array.from({ length: Math.ceil(blocks.length / groupSize) }, (_, at) =>
    blocks.slice(at * groupSize, (at + 1) * groupSize),
  );
  return groups.map((group, at) => {
    const [from, to] = [
      group[0]?.from ?? 0,
      groups[at + 1]?.[0] === undefined ? Number.POSITIVE_INFINITY : (groups[at + 1]?.[0]?.from ?? 0),
    ];
    return (
      <Chunk
        key={at}
        chunks={context.chunks}
        from={from}
        to={to - 1}
        height={(group.at(-1)?.to ?? 0) - from + group.length}
        isFirst={from < context.firstPainted}
      >
        {group.map((block, index) => (
          <Block key={block.from} block={block} until={group[index + 1]?.from ?? to} {...context} />
        ))}
      </Chunk>
    );
  });
}

/** A block, and what is below it: comments on its lines, and on the empty ones after them. */
function Block({ block, until, comments, written, takes, actions }: { block: MarkdownBlock; until: number } & Omit<BlocksProps, "blocks">) {
  const isHere = (line: number) => line >= block.from && line < until;
  const isWritten = written !== undefined && isHere(written.to);
  const below = comments.filter(({ end }) => isHere(end));
  return (
    <>
      <Rendered line={block.from} kind={block.kind} source={block.source} node={block.node} />
      {(below.length > 0 || isWritten) && (
        <Comments below={below} written={isWritten ? written : undefined} takes={takes} actions={actions} />
      )}
    </>
  );
}

const Rendered = memo(({ line, kind, source, node }: { line: number; kind: string; source: string; node: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null);
  const [isPart, setPart] = useState(false);
  useLayoutEffect(() => setPart(!says(textIn(box.current), source)), [source]);
  return (
    <div className="document-block" data-line={line} data-block={kind}>
      <div ref={box} className="markdown">
        {node}
      </div>
      {isPart && (
        <pre className="exact document-source" dir="ltr">
          {source}
        </pre>
      )}
    </div>
  );
});

/** The text of an element, where each part of it is by itself: a word doesn't run on into the next paragraph. */
function textIn(element: Element | null): string {
  if (element === null) return "";
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode() !== null) texts.push(walker.currentNode.nodeValue ?? "");
  return texts.join(" ");
}

/** Whether a rendering has all words of its source, as often as they are there. */
export function says(shown: string, source: string): boolean {
  const left = new Map<string, number>();
  for (const word of wordsIn(shown)) left.set(word, (left.get(word) ?? 0) + 1);
  return wordsIn(source.replace(listNumbers, "")).every((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
}

/** The numbers before the items of a list, which the browser counts. */
// linear: it begins at a line's start, and no part can match what the next one begins with.
const listNumbers = /^[ \t]*(?:[-*+>][ \t]+)?\d{1,9}[.)](?=\s)/gm;

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}\p{M}\uFFFD]+/gu) ?? [];
