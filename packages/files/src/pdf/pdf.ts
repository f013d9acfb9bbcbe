import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { bytesText } from "@askbox/core/questions";
import type { BlobKey, Blobs } from "@askbox/core/stores";
import { storedBytes, storedType } from "../checked-files.ts";
import type { Wish } from "../in-turn.ts";
import { type PdfPages, type PdfWish, pdfium } from "./pages.ts";

/** Bytes of a PDF that is read. */
const maxBytes = 50_000_000;
/** The one that the tests use. */
const version = "2.1.13";

/** Pages of a stored PDF, or a sentence that says why there are none. `folder`: where the library is installed, in its `node_modules`. */
export async function pdfPages(
  blobs: Blobs,
  key: BlobKey,
  wish: PdfWish,
  folder: string | undefined,
  turn?: Wish,
): Promise<PdfPages | string> {
  if (folder === undefined) return "PDFs are not read here.";
  const stored = await blobs.stat(key);
  if (stored === undefined) return "It is no longer stored.";
  if ((await storedType(blobs, key)) !== "application/pdf") return "It is not a PDF.";
  if (stored.size > maxBytes) return `The PDF has ${bytesText(stored.size)}, which is too much to read.`;
  const library = join(folder, "node_modules", pdfium, "dist", "index.cjs");
  if (!existsSync(library)) {
    return `PDFs can be read once PDFium is installed on the hub's machine: npm install --prefix ${shellPath(folder)} ${pdfium}@${version}`;
  }
  const { readPdf } = await import("./read-pdf.ts");
  return readPdf({ bytes: () => storedBytes(blobs, key), library, ...wish }, turn);
}

/** As a shell takes it, without the name of the user where that can be left out: the agent may be on another machine. */
function shellPath(path: string): string {
  const home = homedir();
  if (/[^\w./\\:-]/.test(path) || process.platform === "win32") return `"${path}"`;
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
