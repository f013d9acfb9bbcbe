import { createHash } from "node:crypto";
import type { Blobs } from "@askbox/core/stores";
import { isFileId } from "@askbox/core/stores";
import { cleanName } from "./file-name.ts";
import { graceWithoutSession } from "./sweep.ts";

/** Where the uploads of a token wait until a question shows them: no session has such an id, and no other token leads to it. */
export const waitingOf = (owner: string): string => `asker${createHash("sha256").update(owner).digest("hex").slice(0, 40)}`;

const scheme = "upload:";

/** How a question names an upload of its asker. */
export const sourceOf = (sha256: string, name: string): string => `${scheme}${sha256}/${encodeURIComponent(name)}`;

/** The upload that a `src` names; undefined if it names none. */
export function uploadIn(src: string): { sha256: string; name: string } | undefined {
  const [sha256 = "", name = ""] = src.startsWith(scheme) ? src.slice(scheme.length).split("/", 2) : [];
  if (!isFileId(sha256)) return undefined;
  try {
    return { sha256, name: cleanName(decodeURIComponent(name), "") };
  } catch {
    return undefined;
  }
}

/** Removes the uploads that have waited too long, so that they take no room from the next. */
export async function discardWaiting(blobs: Blobs, owner: string, now: number): Promise<void> {
  for (const file of await blobs.list(waitingOf(owner))) await blobs.remove(file, { storedBefore: now - graceWithoutSession });
}
