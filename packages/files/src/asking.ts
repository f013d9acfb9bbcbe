import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { basename, isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { AskRequest } from "@askbox/core";
import { allImages } from "@askbox/core/questions";
import { AskboxError } from "@askbox/core/transport";
import { defaultFileLimits, fileTooLarge } from "./limits.ts";
import { fileType, headBytes, isPicture } from "./name-and-type.ts";

/**
 * The pictures of a question on the asker's machine: a path becomes an upload before the question is sent. Only pictures in folders that
 * the asker may read are opened, after links are resolved, so that a question can't send a secret file away.
 */

/** How the pictures of an ask are sent, from the process that asks to the hub. */
export interface SendPictures extends PicturePlace {
  /** Uploads one and resolves with its `src`. */
  upload(picture: PictureFile): Promise<string>;
}

/**
 * The request with the pictures that it names by path uploaded. What is no path stays, for the hub to take or refuse. Throws as
 * `openPicture` and `upload` do.
 */
export async function withUploads(request: AskRequest, { upload, ...place }: SendPictures): Promise<AskRequest> {
  const sources = new Map<string, string>();
  for (const image of allImages(request.questions)) {
    const path = "src" in image ? pathIn(image.src) : undefined;
    if (path === undefined || !("src" in image) || sources.has(image.src)) continue;
    const picture = await openPicture(path, place);
    try {
      sources.set(image.src, await upload(picture));
    } finally {
      await picture.file.close();
    }
  }
  if (sources.size === 0) return request;
  const sent = <Shown extends { images?: ReturnType<typeof allImages> | undefined }>(shown: Shown): Shown => {
    if (shown.images === undefined) return shown;
    return {
      ...shown,
      images: shown.images.map((image) => ("src" in image ? { ...image, src: sources.get(image.src) ?? image.src } : image)),
    };
  };
  const questions = request.questions.map((question) => {
    const own = sent(question);
    return "options" in own ? { ...own, options: own.options.map(sent) } : own;
  });
  return { ...request, questions };
}

/** Undefined for a data URL, an upload and an address. */
function pathIn(src: string): string | undefined {
  if (/^file:\/\//i.test(src)) {
    try {
      return fileURLToPath(src);
    } catch {
      return undefined;
    }
  }
  // Not a drive such as C:\.
  return src === "" || /^(data:|upload:|[a-z][a-z\d+.-]+:\/\/)/i.test(src) ? undefined : src;
}

/** Where a path that an asker names leads. */
export interface PicturePlace {
  /** The folder of a relative path. */
  base: string;
  /** The folders that it must be in, with all links resolved; undefined for anywhere. */
  folders?: readonly string[] | undefined;
}

/** A picture that is open to be read. The caller closes it. */
export interface PictureFile {
  file: FileHandle;
  name: string;
  size: number;
}

/**
 * Opens a picture of this machine. Throws `VALIDATION` unless it is a plain file in one of the folders and a picture by its first bytes, whatever
 * its path goes through, and `PAYLOAD_TOO_LARGE`.
 */
export async function openPicture(path: string, { base, folders }: PicturePlace): Promise<PictureFile> {
  const whole = resolve(base, path);
  const where = await placeOf(whole, path, folders);
  // A pipe must not hold up the call, and a link that has just taken the file's place must not be followed.
  const file = await open(where, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)).catch((cause: unknown) => {
    throw cannotBeRead(path, cause);
  });
  try {
    const [opened, present] = [await file.stat(), await lstat(await placeOf(whole, path, folders))];
    if (opened.ino !== present.ino || opened.dev !== present.dev) throw refusal(`${path} was replaced while it was opened.`);
    if (!opened.isFile()) throw refusal(`${path} is not a file.`);
    if (opened.size > defaultFileLimits.file) throw fileTooLarge(opened.size, defaultFileLimits.file);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    if (!isPicture(fileType(buffer.subarray(0, bytesRead)))) throw refusal(`${path} is not a PNG, JPEG, GIF or WebP.`);
    return { file, name: basename(whole), size: opened.size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The path without links. Throws `VALIDATION` if it leads out of the folders. */
async function placeOf(whole: string, path: string, folders: PicturePlace["folders"]): Promise<string> {
  const real = await realpath(whole).catch((cause: unknown) => {
    throw cannotBeRead(path, cause);
  });
  if (folders === undefined) return real;
  for (const folder of folders) {
    const inside = relative(await realpath(folder).catch(() => folder), real);
    if (inside !== "" && !isAbsolute(inside) && inside !== ".." && !/^\.\.[/\\]/.test(inside)) return real;
  }
  throw refusal(`${path} is not in the project or the folder for temporary files, so it is not read.`);
}

const cannotBeRead = (path: string, cause: unknown) =>
  new AskboxError("VALIDATION", `${path} cannot be read: ${(cause as { code?: string }).code ?? String(cause)}.`, { cause });

const refusal = (sentence: string) => new AskboxError("VALIDATION", sentence);
