import { type Answer, AskboxError } from "@askbox/core";
import { type AnswerFile, cut } from "@askbox/core/questions";
import { quote } from "@askbox/core/schemas";
import type { Blobs, CheckFiles, StoredBlob } from "@askbox/core/stores";
import { isFileId } from "@askbox/core/stores";
import { cleanName, extensionOf, fileType, headBytes } from "./name-and-type.ts";
import type { StorageRoom } from "./storage-room.ts";

/** Characters. */
const maxCaption = 1_000;

/**
 * Replaces what a surface says about the files of its answers by what is stored. A file that isn't there is refused; one of the session that
 * this one replaced is copied, since its messages and its draft were taken over. Throws `PAYLOAD_TOO_LARGE` if there is no room for it.
 */
export function checkedFiles(blobs: Blobs, room: StorageRoom): CheckFiles {
  return async (session, answers) => {
    const checked: Answer[] = [];
    for (const answer of answers) {
      const { files } = answer;
      if (files === undefined) {
        checked.push(answer);
        continue;
      }
      const own: AnswerFile[] = [];
      for (const file of files) own.push(await checkedFile({ blobs, room }, session, file));
      checked.push({ ...answer, files: own });
    }
    return checked;
  };
}

interface Stored {
  blobs: Blobs;
  room: StorageRoom;
}

async function checkedFile(
  { blobs, room }: Stored,
  { id: sessionId, replaces }: { id: string; replaces?: string | undefined },
  { name, sha256, caption }: AnswerFile,
): Promise<AnswerFile> {
  const key = { sessionId, id: sha256 };
  const stored = isFileId(sha256) ? ((await blobs.touch(key)) ?? (await copied({ blobs, room }, replaces, key))) : undefined;
  if (stored === undefined) {
    throw new AskboxError("INVALID_ANSWER", `The file ${quote(cleanName(name))} is not stored here (any more); attach it again.`);
  }
  const mimeType = await storedType(blobs, stored);
  return {
    name: cleanName(name, `file.${extensionOf(mimeType)}`),
    mimeType,
    size: stored.size,
    sha256,
    ...(caption?.trim() && { caption: cut(caption.trim(), maxCaption, "").toWellFormed() }),
  };
}

async function copied({ blobs, room }: Stored, from: string | undefined, { sessionId, id }: StoredKey): Promise<StoredBlob | undefined> {
  const source = from === undefined ? undefined : await blobs.stat({ sessionId: from, id });
  if (source === undefined) return undefined;
  const upload = { sessionId, id: `copy-${id.slice(0, 40)}` };
  // They were within the limit of their own session.
  const file = await room.store(upload, source.size, { most: Number.POSITIVE_INFINITY }, async () => {
    const content = await blobs.read(source);
    if (content !== undefined) await blobs.append(upload, 0, content);
    return blobs.finish(upload);
  });
  return file?.id === id ? file : undefined;
}

type StoredKey = Pick<StoredBlob, "sessionId" | "id">;

/** The type of a stored file, by its first bytes. */
export async function storedType(blobs: Blobs, key: StoredKey): Promise<string> {
  return fileType(await storedBytes(blobs, key, { end: headBytes }));
}

/** The bytes of a stored file, or those of a range; none if it is no longer stored. */
export async function storedBytes(blobs: Blobs, key: StoredKey, range?: { end: number }): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await blobs.read(key, range)) ?? []) pieces.push(piece);
  return Buffer.concat(pieces);
}
