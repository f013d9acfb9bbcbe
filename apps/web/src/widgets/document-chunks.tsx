/**
 * The parts of a long document. A part is empty but for its height until it is near the window, a key goes there, or the page has nothing else
 * to do; then its lines are in the page and stay there, so that the browser's own search finds all of them. What is out of sight isn't laid out.
 */
import { type ReactNode, startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface Part {
  from: number;
  to: number;
  element: HTMLElement;
  isFilled: boolean;
  fill(): void;
}

/** All parts of one document, by the indexes of their lines. */
export class Chunks {
  #parts: Part[] = [];
  #isFilling = false;
  readonly #nearby = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.#parts.find(({ element }) => element === target)?.fill();
    },
    { rootMargin: "50%" },
  );

  /** Returns how it is removed. */
  add(part: Part): () => void {
    this.#parts.push(part);
    this.#nearby.observe(part.element);
    return () => {
      this.#parts = this.#parts.filter((each) => each !== part);
      this.#nearby.unobserve(part.element);
    };
  }

  /** Fills one part after the other, each once the one before is in the page; keys come first. */
  fillAll(): void {
    const next = this.#parts.find(({ isFilled }) => !isFilled);
    this.#isFilling = next !== undefined;
    if (next !== undefined) startTransition(next.fill);
  }

  filled(part: Part | undefined): void {
    if (part === undefined || part.isFilled) return;
    part.isFilled = true;
    this.#nearby.unobserve(part.element);
    if (this.#isFilling) this.fillAll();
  }

  /** The element of a line, whose part is filled if it wasn't. An unchanged line has only one, also side by side. */
  elementOf(line: number): HTMLElement | undefined {
    const part = this.#parts.find(({ from, to }) => from <= line && line <= to);
    if (part === undefined) return undefined;
    if (!part.isFilled) {
      flushSync(part.fill);
      this.filled(part);
    }
    return part.element.querySelector<HTMLElement>(`[data-line="${line}"]`) ?? undefined;
  }
}

interface ChunkProps {
  chunks: Chunks;
  /** The indexes of its first and last line. */
  from: number;
  to: number;
  /** How many lines high it will be, if none is wrapped. */
  height: number;
  /** Whether it is on the first screen. */
  isFirst: boolean;
  children: ReactNode;
}

/** A part of a document, whose children are rendered when their time has come. */
export function Chunk({ chunks, from, to, height, isFirst, children }: ChunkProps) {
  const box = useRef<HTMLDivElement>(null);
  const part = useRef<Part>(undefined);
  const [isFilled, setFilled] = useState(isFirst);
  useLayoutEffect(() => {
    if (box.current === null) return;
    const isThere = box.current.childElementCount > 0;
    part.current = { from, to, element: box.current, isFilled: isThere, fill: () => setFilled(true) };
    return chunks.add(part.current);
  }, [chunks, from, to]);
  useEffect(() => {
    if (isFilled) chunks.filled(part.current);
  }, [isFilled, chunks]);
  return (
    <div ref={box} className="document-chunk" style={{ "--lines": height } as object}>
      {isFilled && children}
    </div>
  );
}
