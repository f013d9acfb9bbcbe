import { fileURLToPath } from "node:url";
import type { AskRequest } from "@askbox/core";
import { allImages } from "@askbox/core/questions";
import { openPicture, type PictureFile, type PicturePlace } from "./picture-file.ts";

export type { PictureFile, PicturePlace } from "./picture-file.ts";

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
