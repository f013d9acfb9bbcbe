import { AskboxError } from "../errors.ts";
import type { AuditEntry } from "../ports/audit.ts";
import type { Digest } from "../ports/digest.ts";
import type { AuditEvent } from "./event.ts";

/** The previous hash of the first entry. */
export const noHash = "0".repeat(64);

const beforeHash = ',"hash":"';
const afterHash = '"}';
/** How many characters at the end of each line the hash takes. */
const tailLength = beforeHash.length + noHash.length + afterHash.length;

/** JSON text of the same value in which the characters that a terminal hides or obeys are escaped, so that an exported line can be read there. */
const visible = (json: string): string =>
  json.replace(/[\u007F-\u009F\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\uFFF9-\uFFFB]/gu, (hidden) =>
    Array.from({ length: hidden.length }, (_, index) => `\\u${hidden.charCodeAt(index).toString(16).padStart(4, "0")}`).join(""),
  );

/** The entry of an event that follows `last`. The hash covers the text of the line without the hash itself, so that it can be checked without askbox. */
export async function sealEntry(event: AuditEvent, last: AuditEntry | undefined, digest: Digest): Promise<AuditEntry> {
  const number = (last?.number ?? 0) + 1;
  const previous = last?.hash ?? noHash;
  const text = visible(JSON.stringify({ number, ...event, previous }));
  const hash = await digest(text);
  return { number, at: event.at, previous, hash, line: `${text.slice(0, -1)}${beforeHash}${hash}${afterHash}` };
}

/** The fields of a line that the chain needs; undefined if it is not an entry. `isIntact`: whether its hash matches its text. */
export async function readEntry(line: string, digest: Digest): Promise<(Omit<AuditEntry, "line"> & { isIntact: boolean }) | undefined> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { number, at, previous, hash } = Object(parsed) as Record<string, unknown>;
  if (!Number.isSafeInteger(number) || typeof at !== "number" || typeof previous !== "string" || typeof hash !== "string") return undefined;
  const text = line.slice(0, -tailLength);
  const isWhole = line.slice(text.length) === `${beforeHash}${hash}${afterHash}`;
  const older = before(parsed);
  const sealed = visible(older) === `${text}}` ? [`${text}}`, older] : [`${text}}`];
  const isIntact = isWhole && (await Promise.all(sealed.map((each) => digest(each)))).includes(hash);
  return { number: number as number, at, previous, hash, isIntact };
}

/** The text of an entry that was sealed when hidden characters were not escaped yet; an export escapes them. */
function before(entry: unknown): string {
  const { hash: _, ...event } = entry as Record<string, unknown>;
  return JSON.stringify(event);
}

/** For stores: throws `CONFLICT` if an entry isn't the next after `last`, which makes several writers take turns. */
export function mustFollow(entry: AuditEntry | undefined, last: Pick<AuditEntry, "number" | "hash"> | undefined): void {
  if (entry === undefined) return;
  if (entry.number === (last?.number ?? 0) + 1 && entry.previous === (last?.hash ?? noHash)) return;
  throw entryConflict();
}

/** The error of a store if another entry was faster. */
export const entryConflict = (): AskboxError =>
  new AskboxError("CONFLICT", "Another decision was recorded at the same moment; read the last entry and try again.");
