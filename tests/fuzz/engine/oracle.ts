import { isDeepStrictEqual } from "node:util";
import { AskboxError, type SessionStore } from "@askbox/core";
import { readRecord } from "@askbox/core/stores";

/** A failure that no input may cause. */
export class Fault extends Error {
  override readonly name = "Fault";
}

export function fault(what: string): never {
  throw new Fault(what.length > 1_500 ? `${what.slice(0, 1_500)}…` : what);
}

/** Longer than any sentence, shorter than what a hostile input could turn one into. */
export const maxSentenceLength = 2_000;

/** Checks every message: it exists, has a limited length, and reveals no internal error. */
export function assertSentence(sentence: unknown, where: string): void {
  if (typeof sentence !== "string" || sentence.trim() === "") fault(`${where} says nothing: ${JSON.stringify(sentence)}`);
  if (sentence.length > maxSentenceLength) fault(`${where} has ${sentence.length} characters: ${sentence.slice(0, 200)}`);
  if (/\[object \w+\]|Cannot read prop|is not a function|is not iterable|Maximum call stack|Invalid array length/.test(sentence)) {
    fault(`${where} is an accident: ${sentence}`);
  }
}

/** Runs code that may reject its input: an error with a code and a sentence is a valid response, anything else thrown is a failure. */
export async function orRefusal<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    assertRefusal(error);
    return undefined;
  }
}

function assertRefusal(error: unknown): asserts error is AskboxError {
  if (!(error instanceof AskboxError)) fault(`Thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  if (error.code === "INTERNAL") fault(`An accident became an error: ${error.message}`);
  assertSentence(error.message, error.code);
}

/** Checks that everything in the store can be read again. */
export async function assertReadable(store: SessionStore): Promise<void> {
  let cursor: string | undefined;
  do {
    const page: Awaited<ReturnType<SessionStore["list"]>> = await store.list({ limit: 1_000, cursor });
    for (const record of page.sessions) {
      let again: unknown;
      try {
        again = readRecord(JSON.parse(JSON.stringify(record)));
      } catch (error) {
        fault(`A stored session cannot be read again: ${error}`);
      }
      if (!isDeepStrictEqual(again, JSON.parse(JSON.stringify(record))))
        fault(`A stored session reads as another: ${JSON.stringify(record)}`);
    }
    cursor = page.next;
  } while (cursor !== undefined);
}

const built = [Object.prototype, Array.prototype, Function.prototype, String.prototype] as const;
const counted = () => built.map((prototype) => Reflect.ownKeys(prototype).length).join();
const clean = counted();

export function assertUnpolluted(): void {
  if (counted() === clean) return;
  for (const prototype of built) Reflect.deleteProperty(prototype, "polluted");
  fault("A prototype was polluted.");
}
