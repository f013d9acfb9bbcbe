import { cut } from "@askbox/core/questions";

/**
 * What a file says of itself, which nobody believes: its type is read from its first bytes, never from its name or a header, and its name
 * becomes harmless on every system before it is stored or offered for download.
 */

/** The most bytes of a file's beginning that `fileType` looks at. */
export const headBytes = 4_096;

interface Signature {
  type: string;
  extension: string;
  /** Whether a browser may show it: only pictures that can't run anything. */
  isPicture?: true;
  /** A text of Latin-1 characters, `?` for any byte, and where it begins. */
  at?: number;
  magic: string;
}

/** The first that fits decides. Its order matters only for the ISO and RIFF containers. */
const signatures: readonly Signature[] = [
  { type: "image/png", extension: "png", isPicture: true, magic: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", extension: "jpg", isPicture: true, magic: "\xff\xd8\xff" },
  { type: "image/gif", extension: "gif", isPicture: true, magic: "GIF8?a" },
  { type: "image/webp", extension: "webp", isPicture: true, magic: "RIFF????WEBP" },
  { type: "image/avif", extension: "avif", at: 4, magic: "ftypavif" },
  { type: "image/heic", extension: "heic", at: 4, magic: "ftyphei" },
  { type: "image/heic", extension: "heic", at: 4, magic: "ftypmif1" },
  { type: "image/tiff", extension: "tiff", magic: "II*\0" },
  { type: "image/tiff", extension: "tiff", magic: "MM\0*" },
  { type: "image/bmp", extension: "bmp", magic: "BM????\0\0\0\0" },
  { type: "application/pdf", extension: "pdf", magic: "%PDF-" },
  { type: "application/zip", extension: "zip", magic: "PK\x03\x04" },
  { type: "application/gzip", extension: "gz", magic: "\x1f\x8b\x08" },
  { type: "audio/wav", extension: "wav", magic: "RIFF????WAVE" },
  { type: "audio/mpeg", extension: "mp3", magic: "ID3" },
  { type: "audio/ogg", extension: "ogg", magic: "OggS" },
  { type: "video/webm", extension: "webm", magic: "\x1aE\xdf\xa3" },
  { type: "video/quicktime", extension: "mov", at: 4, magic: "ftypqt" },
  { type: "video/mp4", extension: "mp4", at: 4, magic: "ftyp" },
];

const unknown = "application/octet-stream";

/** The type of a file by its first bytes, whatever it is called. */
export function fileType(head: Uint8Array): string {
  const found = signatures.find(({ magic, at = 0 }) => startsWith(head, magic, at));
  return found?.type ?? textType(head.subarray(0, headBytes)) ?? unknown;
}

/** Whether a page may show a file of this type inline: never one that can contain scripts. */
export const isPicture = (type: string): boolean => signatures.some((one) => one.type === type && one.isPicture);

/** The usual ending of a name, such as `png`. */
export const extensionOf = (type: string): string =>
  signatures.find((one) => one.type === type)?.extension ?? textTypes[type] ?? (type === "text/plain" ? "txt" : "bin");

function startsWith(bytes: Uint8Array, magic: string, at: number): boolean {
  if (bytes.length < at + magic.length) return false;
  for (let index = 0; index < magic.length; index += 1) {
    if (magic[index] !== "?" && bytes[at + index] !== magic.charCodeAt(index)) return false;
  }
  return true;
}

// keys: types that `fileType` has found.
const textTypes: Readonly<Record<string, string>> = { "image/svg+xml": "svg", "text/html": "html" };

/** Undefined for what isn't UTF-8 text. */
function textType(head: Uint8Array): string | undefined {
  let text: string;
  try {
    // The last character may be cut.
    text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
  } catch {
    return undefined;
  }
  for (const character of text) if (character < " " && !"\t\n\r\f\x1b".includes(character)) return undefined;
  const start = text.trimStart().toLowerCase();
  if (start.startsWith("<svg") || (start.startsWith("<?xml") && start.includes("<svg"))) return "image/svg+xml";
  return /^<(!doctype html|html|head|body|script)/.test(start) ? "text/html" : "text/plain";
}

/** In characters, with the ending. */
const maxLength = 120;
/** Windows gives these names to devices, with any ending. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * A name that is safe to show and to write: without folders, control characters, direction marks and whatever a file system forbids; never
 * empty, hidden or a device.
 */
export function cleanName(name: string, fallback = "file"): string {
  const last = name.slice(-4_096).split(/[/\\]/).at(-1) ?? "";
  const bare = last
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/\s/g, " ");
  let [start, end] = [0, bare.length];
  while (isEdge(bare[start])) start += 1;
  while (end > start && isEdge(bare[end - 1])) end -= 1;
  const plain = bare.slice(start, end);
  if (plain === "") return fallback;
  const safe = reserved.test(plain) ? `_${plain}` : plain;
  if (safe.length <= maxLength) return safe;
  const dot = safe.lastIndexOf(".");
  const ending = dot > 0 && safe.length - dot <= 16 ? safe.slice(dot) : "";
  return cut(safe, maxLength, ending);
}

const isEdge = (character: string | undefined) => character === " " || character === ".";

/** The header that makes a browser save a file, or show it if it is a picture. */
export function disposition(name: string, isInline: boolean): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const exact = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${isInline ? "inline" : "attachment"}; filename="${ascii}"; filename*=UTF-8''${exact}`;
}
