import { createRequire } from "node:module";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { cut } from "@askbox/core/questions";
import { inTurn, type Wish } from "../in-turn.ts";
import { encoded, inWorker, type Posted } from "../picture/reduce.ts";
import type { PdfPages, PdfWish } from "./pages.ts";

/** Milliseconds for the pages of one call. */
const usualTimeout = 30_000;
/** Bytes of the library's memory, with the PDF in it. */
const maxMemory = 512 * 1_024 * 1_024;
const wasmPage = 65_536;
/** What one call returns. */
const [maxText, maxTextPages, maxImages] = [16_000, 100, 5];
/** Pixels for a point, and of the longest side. */
const [density, longestSide] = [2, 2_000];
const maxImageBytes = 450_000;

interface Job extends PdfWish {
  kind: "askbox-pdf";
  bytes: Uint8Array;
  /** The library's file. */
  library: string;
}

/** What is used of the library. */
interface Pdfium {
  PDFiumLibrary: {
    init(): Promise<{ loadDocument(bytes: Uint8Array): Promise<{ getPageCount(): number; getPage(index: number): Page }> }>;
  };
}
interface Page {
  getText(): string;
  getOriginalSize(): { originalWidth: number; originalHeight: number };
  render(how: { render: "bitmap"; scale: 1; width: number; height: number }): Promise<{ data: Uint8Array }>;
}

interface Reading extends Omit<Job, "kind" | "bytes"> {
  /** Called when its turn comes, so that PDFs that wait take no memory. */
  bytes(): Promise<Uint8Array>;
  timeout?: number;
}

/**
 * Reads pages in a thread of its own, up to one that ends it, which has a sentence. Resolves with a sentence if the PDF cannot be read, and rejects
 * only if `bytes` does. PDFs are read one at a time.
 */
export const readPdf = ({ bytes, ...wish }: Reading, turn?: Wish): Promise<PdfPages | string> =>
  inTurn("pdf", async () => fromWorker({ ...wish, bytes: await bytes() }), turn);

async function fromWorker({ timeout = usualTimeout, ...job }: Omit<Job, "kind"> & { timeout?: number }): Promise<PdfPages | string> {
  let soFar: PdfPages | undefined;
  const onPart = (pages: PdfPages) => {
    soFar = pages;
  };
  try {
    return await inWorker(import.meta.url, { kind: "askbox-pdf", ...job } satisfies Job, { most: timeout, onPart });
  } catch (error) {
    const { name, message } = error as Error;
    const isLate = name === "TimeoutError";
    const why = isLate ? `takes more than ${timeout / 1_000} seconds to read` : "is damaged, or takes too much memory to read";
    if (message.startsWith("Password")) return "The PDF is encrypted and needs a password.";
    if (message.startsWith("Unsupported security")) return "The PDF is encrypted in a way that is not supported.";
    if (soFar === undefined || soFar.pages === 1) return `The PDF ${why}.`;
    const { parts, ...found } = soFar;
    // The time is for all pages; alone, this one may not take too long.
    return isLate && parts.length > 0 ? soFar : { ...found, parts: [...parts, { text: `(This page ${why}.)` }] };
  }
}

interface Memory {
  buffer: ArrayBuffer;
  grow(pages: number): number;
}

// The types of Node have it only with those of a DOM.
const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } }).WebAssembly;

/** The library's memory grows by this function only. */
function boundMemory(): void {
  const { grow } = Memory.prototype;
  Memory.prototype.grow = function (this: Memory, pages: number) {
    if (this.buffer.byteLength + pages * wasmPage > maxMemory) throw new RangeError("The PDF takes too much memory.");
    return grow.call(this, pages);
  };
}

async function read({ bytes, library, from, images }: Job): Promise<PdfPages | string> {
  boundMemory();
  const { PDFiumLibrary } = createRequire(library)(library) as Pdfium;
  const document = await (await PDFiumLibrary.init()).loadDocument(bytes);
  const pages = document.getPageCount();
  if (pages === 0) return "The PDF has no pages.";
  if (from > pages) return `The PDF has only ${pages} ${pages === 1 ? "page" : "pages"}.`;
  const parts: PdfPages["parts"] = [];
  let characters = 0;
  for (let number = from; number <= pages && parts.length < (images ? maxImages : maxTextPages); number += 1) {
    post({ pages, from, parts }, false);
    const part = await partOf(document.getPage(number - 1), images);
    if ("text" in part) characters += part.text.length;
    if (parts.length > 0 && characters > maxText) break;
    parts.push(part);
  }
  return { pages, from, parts };
}

async function partOf(page: Page, images: boolean): Promise<PdfPages["parts"][number]> {
  try {
    return images ? { image: await picture(page) } : { text: textOf(page) };
  } catch (error) {
    // After any other error, the library's own state is unknown.
    if ((error as Error).name !== "Error") throw error;
    return { text: "(This page is damaged.)" };
  }
}

function textOf(page: Page): string {
  const plain = page
    .getText()
    .replaceAll("\r\n", "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
  return plain.length <= maxText ? plain : `${cut(plain, maxText, "")}\n(The rest of this page is left out.)`;
}

async function picture(page: Page): Promise<Uint8Array> {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  if (originalWidth === 0) throw new Error("The page could not be loaded.");
  const scale = Math.min(density, longestSide / Math.max(originalWidth, originalHeight, 1));
  const [width, height] = [Math.max(1, Math.round(originalWidth * scale)), Math.max(1, Math.round(originalHeight * scale))];
  const { data } = await page.render({ render: "bitmap", scale: 1, width, height });
  return encoded({ width, height, data }, { as: "image/jpeg", most: maxImageBytes });
}

const post = (result: PdfPages | string, isWhole: boolean) =>
  parentPort?.postMessage({ result, isWhole } satisfies Posted<PdfPages | string>);

const data: unknown = workerData;
if (!isMainThread && typeof data === "object" && data !== null && "kind" in data && data.kind === "askbox-pdf") {
  read(data as Job).then(
    (pages) => post(pages, true),
    (error: unknown) => setImmediate(() => Promise.reject(error)),
  );
}
