// The built page as it is served: its files by a list of paths, their compressed forms, and the headers that keep everything else out.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { AskboxError } from "@askbox/core";
import { getMimeType } from "hono/utils/mime";

/** A file as served. */
export interface WebFile {
  body: Buffer;
  type: string;
  /** Of the content; quoted by the sender. */
  tag: string;
  encodings: Encodings;
}

/** The files of a built page. */
export interface WebFiles {
  /** The file at exactly this path, such as `/assets/app-3fa9.js`; undefined if there is none. */
  at(path: string): Promise<WebFile | undefined>;
  /** The page itself; undefined if there is none. */
  shell(as: ShellAs): Promise<WebFile | undefined>;
}

/** How the shell is adapted to where it is served; both come from the hub's options. */
export interface ShellAs {
  /** The prefix of its links, since a view of the page may have any path. */
  path: string;
  /** HTML to add to its head. */
  head: string;
}

export const shellPath = "/index.html";

/** Shared by the hubs of a process: compressing a page takes longer than starting a hub. */
const shared = new Map<string, WebFiles>();

/**
 * A folder's files, looked up in a list of their paths, so that a request's path never becomes a path on disk. Each is read once; a build
 * that replaces the shell causes a new listing. Hidden files and symbolic links are skipped.
 */
export function webFiles(folder: string): WebFiles {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new AskboxError("VALIDATION", `web must be the folder of the built web inbox; there is none at ${folder}.`);
  const files = shared.get(folder) ?? filesIn(folder);
  shared.set(folder, files);
  return files;
}

function filesIn(folder: string): WebFiles {
  let stamp: string | undefined;
  let paths = new Map<string, string>();
  let files = new Map<string, Promise<WebFile>>();

  const refresh = async () => {
    const { mtimeMs, size } = await stat(join(folder, "index.html"));
    if (stamp === `${mtimeMs} ${size}`) return;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    paths = new Map();
    for (const entry of entries) {
      const file = join(entry.parentPath, entry.name);
      const steps = relative(folder, file).split(sep);
      if (entry.isFile() && !steps.some((step) => step.startsWith("."))) paths.set(`/${steps.join("/")}`, file);
    }
    files = new Map();
    stamp = `${mtimeMs} ${size}`;
  };

  const at = async (path: string, shell?: ShellAs) => {
    // A page requests many assets at once, which are named after their content; only other requests look for a newer build.
    if (!path.startsWith("/assets/") || stamp === undefined) await refresh().catch(() => {});
    const file = paths.get(path);
    if (file === undefined) return undefined;
    const key = shell === undefined ? path : JSON.stringify(shell);
    const known = files.get(key) ?? load(file, shell);
    files.set(key, known);
    try {
      return await known;
    } catch {
      // It may have been in the middle of a replacement; the next request tries again.
      if (files.get(key) === known) files.delete(key);
      return undefined;
    }
  };
  return { at: (path) => at(path), shell: (as) => at(shellPath, as) };
}

/** The links of a built shell. */
const relativeLink = /(?<= (?:href|src)=")\.\//g;

async function load(file: string, shell: ShellAs | undefined): Promise<WebFile> {
  const read = await readFile(file);
  const body = shell === undefined ? read : Buffer.from(adapted(read.toString("utf8"), shell));
  const type = getMimeType(file) ?? "application/octet-stream";
  const tag = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  return { body, type, tag, encodings: await encodingsOf(body, type) };
}

const adapted = (html: string, { path, head }: ShellAs) =>
  html.replace(relativeLink, `${path}/`).replace("</head>", () => `${head}</head>`);

/** The compressed forms of a file; none if compression does not pay off. */
type Encodings = Partial<Record<"br" | "gzip", Buffer>>;

/** Below this many bytes, the headers cost more than compression saves. */
const smallest = 1_024;
const compressible = /^text\/|javascript|json|xml|wasm/;
/** Takes some tens of ms for the page's largest file, once per run of the hub. */
const brotliQuality = 8;

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

async function encodingsOf(body: Buffer, type: string): Promise<Encodings> {
  if (body.length < smallest || !compressible.test(type)) return {};
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  const [br, gz] = await Promise.all([
    brotli(body, { params: { [BROTLI_PARAM_QUALITY]: brotliQuality, [BROTLI_PARAM_SIZE_HINT]: body.length } }),
    zip(body, { level: 9 }),
  ]);
  return { ...(br.length < body.length && { br }), ...(gz.length < body.length && { gzip: gz }) };
}

/** The best encoding that the `Accept-Encoding` header allows; undefined for the file as it is. */
export function chosenEncoding(header: string | undefined, encodings: Encodings): "br" | "gzip" | undefined {
  const taken = new Map<string, boolean>();
  for (const item of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    taken.set(name, !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter)));
  }
  return (["br", "gzip"] as const).find((name) => encodings[name] !== undefined && (taken.get(name) ?? taken.get("*") ?? false));
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The page draws a favicon with the number of questions.
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const unused = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb",
];

/**
 * Sent with the page's files, in addition to the headers of every response: nothing inline, nothing from other origins, no browser features
 * that the page does not use.
 */
export const pageHeaders: Readonly<Record<string, string>> = Object.freeze({
  "content-security-policy": policy.join("; "),
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": unused.map((feature) => `${feature}=()`).join(", "),
});
