import { AskboxError } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import { parseDuration } from "@askbox/home/duration";

/** A usage error: exit code 2. `sentence` says what to do instead. */
export function usageError(sentence: string): AskboxError {
  return new AskboxError("VALIDATION", sentence);
}

/** Collects a flag that may be repeated. */
export function repeated(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Parses a flag's whole number. `what` completes the sentence: "of milliseconds". */
export function wholeNumber(flag: string, what: string): (value: string) => number {
  return (value) => {
    if (!/^\d{1,15}$/.test(value)) throw usageError(`${flag} takes a whole number ${what}, not ${quote(value)}.`);
    return Number(value);
  };
}

/** Reads `--limit`. */
export function atLeastOne(value: string): number {
  const read = wholeNumber("--limit", "from 1")(value);
  if (read > 0) return read;
  throw usageError("--limit takes a whole number from 1, not 0.");
}

/** Parses a duration such as `90s`, `5m` or `1h`, or a number of milliseconds. `accepts` describes the accepted values, with the limits in milliseconds. */
export function duration(name: string, accepts: { words: string; min?: number; max?: number }): (text: string) => number {
  const { words, min = 0, max = Number.POSITIVE_INFINITY } = accepts;
  return (text) => {
    const milliseconds = parseDuration(text);
    if (milliseconds !== undefined && milliseconds >= min && milliseconds <= max) return milliseconds;
    throw usageError(`${name} takes ${words}, not ${quote(text)}.`);
  };
}

export const timeoutFlag = duration("--timeout", { words: "a duration such as 90s, 5m or 300000 (milliseconds)" });

/** Parses a flag with a fixed set of values and offers them for shell completion. */
export function oneOf<Word extends string>(flag: string, words: readonly Word[]): ((value: string) => Word) & { words: readonly Word[] } {
  const read = (value: string): Word => {
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw usageError(`${flag} takes one of ${words.join(", ")}, not ${quote(value)}.`);
    return word;
  };
  return Object.assign(read, { words });
}
