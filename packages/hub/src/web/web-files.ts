import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { AskboxError } from "@askbox/core";
import { getMimeType } from "hono/utils/mime";
import { type Encodings, encodingsOf } from "./encodings.ts";

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
