import { createHash } from "node:crypto";
import { type Actor, isAskboxError, type Log } from "@askbox/core";
import { type AnswerFile, bytesText, cut, maxFiles } from "@askbox/core/questions";
import { plainLine } from "@askbox/terminal-text";
import { inert } from "./plain.ts";
import type { ChatConnection, ChatPlatform, SentFile } from "./port.ts";

/** Where the files of answers are stored. */
export interface ChatFiles {
  /** The most bytes of one. */
  most: number;
  /**
   * Stores one for a session; its type is known by its first bytes. `upload`: names it, so that a repeated one is stored once. Throws
   * `PAYLOAD_TOO_LARGE` if there is no room, and `SESSION_CLOSED`.
   */
  put(
    file: { sessionId: string; upload: string; bytes: Uint8Array<ArrayBuffer> },
    by: Actor,
  ): Promise<{ sha256: string; size: number; mimeType: string }>;
}

export interface TakeFilesOptions {
  platform: ChatPlatform;
  files: ChatFiles | undefined;
  connection: Pick<ChatConnection, "fetchFile">;
  sessionId: string;
  /** Identifies the message with them. */
  key: string;
  by: Actor;
  log: Log;
}

const shownName = (name: string) => inert(cut(plainLine(name), 60));

/**
 * Fetches and stores what a person sent, with what they sent before; or says in a sentence why not. Nothing is fetched that is known to be too
 * large.
 */
export async function takeFiles(
  sent: readonly SentFile[],
  present: readonly AnswerFile[],
  { platform, files, connection, sessionId, key, by, log }: TakeFilesOptions,
): Promise<AnswerFile[] | string> {
  if (files === undefined) return "This hub stores no files.";
  if (present.length + sent.length > maxFiles) return `An answer can have at most ${maxFiles} files.`;
  const most = Math.min(files.most, platform.limits.file);
  const tooLarge = (name: string) => `${shownName(name)} is too large: a file from ${platform.title} may have at most ${bytesText(most)}.`;
  const large = sent.find(({ size }) => size > most);
  if (large !== undefined) return tooLarge(large.name);
  const taken = [...present];
  for (const [index, file] of sent.entries()) {
    const fetched = await connection.fetchFile(file, most);
    if ("failure" in fetched) {
      if (fetched.failure === "large") return tooLarge(file.name);
      return `${shownName(file.name)} could not be fetched from ${platform.title}; send it again.`;
    }
    const upload = createHash("sha256").update(`${key} ${index}`).digest("base64url");
    const stored = await files.put({ sessionId, upload, bytes: fetched.bytes }, by).catch((error: unknown) => {
      // What is full or can't be written may stay so: whoever else writes or presses need not wait for it.
      if (!isAskboxError(error, "STORE_UNAVAILABLE")) throw error;
      log("error", `A file from ${platform.title} could not be stored.`, { error: error.message });
      return undefined;
    });
    if (stored === undefined)
      return `${shownName(file.name)} could not be stored, and the hub's log says why. Send it again when that is fixed.`;
    if (!taken.some(({ sha256 }) => sha256 === stored.sha256)) taken.push({ name: file.name, ...stored });
  }
  return taken;
}
