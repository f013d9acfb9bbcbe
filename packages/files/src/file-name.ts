import { cut } from "@askbox/core/questions";

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
