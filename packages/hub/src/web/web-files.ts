import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
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
}

export const shellPath = "/index.html";

/** Shared by the hubs of a process: compressing a page takes longer than starting a hub. */
const shared = new Map<string, WebFiles>();

/**
 * A folder's files, looked up in a list of their paths, so that a request's path never becomes a path on disk. Each is read once; a build
 * that replaces the shell causes a new listing. Hidden files and symbolic links are skipped. The shell's links are relative to `basePath`,
 * since a view of the page may have any path.
 */
export function webFiles(folder: string, basePath: string): WebFiles {
  const key = JSON.stringify([folder, basePath]);
  const files = shared.get(key) ?? filesIn(folder, basePath);
  shared.set(key, files);
  return files;
}

function filesIn(folder: string, basePath: string): WebFiles {
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

  return {
    async at(path) {
      // A page requests many assets at once, which are named after their content; only other requests look for a newer build.
      if (!path.startsWith("/assets/") || stamp === undefined) await refresh().catch(() => {});
      const file = paths.get(path);
      if (file === undefined) return undefined;
      const known = files.get(path) ?? load(file, path === shellPath ? basePath : undefined);
      files.set(path, known);
      try {
        return await known;
      } catch {
        // It may have been in the middle of a replacement; the next request tries again.
        if (files.get(path) === known) files.delete(path);
        return undefined;
      }
    },
  };
}

/** The links of a built shell. */
const relativeLink = /(?<= (?:href|src)=")\.\//g;

async function load(file: string, basePath: string | undefined): Promise<WebFile> {
  const read = await readFile(file);
  const body = basePath === undefined ? read : Buffer.from(read.toString("utf8").replace(relativeLink, `${basePath}/`));
  const type = getMimeType(file) ?? "application/octet-stream";
  const tag = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  return { body, type, tag, encodings: await encodingsOf(body, type) };
}
