import { AskboxError } from "../errors.ts";
import type { Digest } from "../ports/platform.ts";
import type { AuditEntry } from "../ports/store.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { Outcome } from "../session/outcome.ts";
import { traitsOf } from "../session/questions/index.ts";
import type { Question } from "../session/questions/schemas.ts";
import type { SessionRecord } from "../session/record.ts";

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
async function readEntry(line: string, digest: Digest): Promise<(Omit<AuditEntry, "line"> & { isIntact: boolean }) | undefined> {
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

/** The contents of an entry, apart from its place in the chain. */
export interface AuditEvent {
  /** Wall time in ms since the epoch. */
  at: number;
  /** `reported`: after a decision, its client did something else. */
  event: "decided" | "reported";
  session: string;
  asker: AskerInfo;
  title?: string | undefined;
  /** What was shown. */
  questions: readonly Question[];
  /** What was decided, by whom and where; for a grant, `by.name` is its id. */
  outcome: Outcome;
  /** What the client did; only for `reported`. */
  report?: string | undefined;
}

/** What the record keeps of a change of a session. */
export function auditEventOf(next: SessionRecord, before: SessionRecord): AuditEvent | undefined {
  if (before.state === "pending") return decisionIn(next);
  const report = next.thread.length > before.thread.length ? next.thread.at(-1) : undefined;
  const decision = report && decisionIn(next);
  // Nobody can write into the thread of a decided approval but its client.
  return decision && { ...decision, at: report.at, event: "reported", report: report.text };
}

/** What the record keeps of a newly settled session: every decision about an approval. A timeout or a withdrawal is not a decision. */
export function decisionIn({ id, asker, request, context: { outcome } }: SessionRecord): AuditEvent | undefined {
  if (outcome === undefined || outcome.by.surface === "asker" || outcome.by.surface === "deadline") return undefined;
  const { title, questions } = request;
  if (!questions.some((question) => traitsOf(question).picks === "decision")) return undefined;
  return { at: outcome.at, event: "decided", session: id, asker, ...(title !== undefined && { title }), questions, outcome };
}

/** Checks the lines of a record one by one, in order, without keeping them. */
export class ChainCheck {
  readonly #digest: Digest;
  #lines = 0;
  #first: Omit<AuditEntry, "line"> | undefined;
  #last: Omit<AuditEntry, "line"> | undefined;

  constructor(digest: Digest) {
    this.#digest = digest;
  }

  /** The first entry. If its number isn't 1, earlier entries were not part of the check. */
  get first(): Omit<AuditEntry, "line"> | undefined {
    return this.#first;
  }

  get last(): Omit<AuditEntry, "line"> | undefined {
    return this.#last;
  }

  /** What is wrong with the next line, in one sentence; undefined if it continues the chain. After a problem, no further line can be checked. */
  async add(line: string): Promise<string | undefined> {
    this.#lines += 1;
    const place = `Line ${this.#lines}`;
    const entry = await readEntry(line, this.#digest);
    if (entry === undefined) return `${place} isn't an entry of the record.`;
    const { number, previous, isIntact } = entry;
    if (!isIntact) return `${place}, entry ${number}, was changed: its hash doesn't match it.`;
    const last = this.#last;
    if (last !== undefined && number > last.number + 1) {
      const missing = number - last.number - 1;
      return `Before line ${this.#lines}, ${missing === 1 ? "an entry is" : `${missing} entries are`} missing: entry ${number} comes after entry ${last.number}.`;
    }
    if (last !== undefined && number !== last.number + 1)
      return `${place} is out of order: entry ${number} comes after entry ${last.number}.`;
    const expected = last?.hash ?? (number === 1 ? noHash : previous);
    if (previous !== expected) return `${place}, entry ${number}, doesn't continue the chain: it or the entry before it was replaced.`;
    this.#first ??= entry;
    this.#last = entry;
    return undefined;
  }
}
