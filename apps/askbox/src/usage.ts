import { AskboxError, quote } from "@askbox/core";

/** Wrong usage: exit code 2. `sentence` says what to do instead. */
export function usageError(sentence: string): AskboxError {
  return new AskboxError("VALIDATION", sentence);
}

/** Collects a flag that may be repeated. */
export function repeated(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Reads a flag's whole number. `what` completes the sentence: "of milliseconds". */
export function wholeNumber(flag: string, what: string): (value: string) => number {
  return (value) => {
    if (!/^\d{1,15}$/.test(value)) throw usageError(`${flag} takes a whole number ${what}, not ${quote(value)}.`);
    return Number(value);
  };
}

/** Reads a flag that takes one of a few words, which it tells to whoever completes a command line. */
export function oneOf<Word extends string>(flag: string, words: readonly Word[]): ((value: string) => Word) & { words: readonly Word[] } {
  const read = (value: string): Word => {
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw usageError(`${flag} takes one of ${words.join(", ")}, not ${quote(value)}.`);
    return word;
  };
  return Object.assign(read, { words });
}
