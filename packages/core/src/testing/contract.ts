import { AskboxError, type ErrorCode } from "../errors.ts";

/**
 * One promise of a port, as a test. The name is a sentence that is true of every implementation; `run` rejects with a readable error if it
 * is not. Suites are plain lists of these, so that any test framework can run them.
 */
export interface ContractCase<Harness> {
  readonly name: string;
  run(harness: Harness): Promise<void>;
}

/** The error of a contract case whose promise is broken. */
export class ContractViolation extends Error {
  override readonly name = "ContractViolation";
}

/** Throws unless the condition holds. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new ContractViolation(message);
}

/** Throws unless both are the same plain JSON; the message names the first difference. */
export function assertEqual(actual: unknown, expected: unknown, message: string): void {
  const difference = firstDifference(actual, expected, "");
  if (difference !== undefined) throw new ContractViolation(`${message}: ${difference}`);
}

/** Throws unless the promise rejects with an AskboxError of this code and a message; returns the error. */
export async function assertRejects(promise: Promise<unknown>, code: ErrorCode, message: string): Promise<AskboxError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert(thrown !== undefined, `${message}: it should have been refused with ${code}, but it was done`);
  assert(thrown instanceof AskboxError, `${message}: expected an AskboxError, but ${String(thrown)} was thrown`);
  assertEqual(thrown.code, code, message);
  assert(thrown.message.length > 0, `${message}: the error has no message`);
  return thrown;
}

function firstDifference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  const differ = `${path === "" ? "it" : path} is ${show(actual)}, expected ${show(expected)}`;
  if (typeof actual !== "object" || typeof expected !== "object" || actual === null || expected === null) return differ;
  if (Array.isArray(actual) !== Array.isArray(expected)) return differ;
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) {
    return `${path === "" ? "it" : path} has ${actual.length} items, expected ${expected.length}: ${show(actual)} instead of ${show(expected)}`;
  }
  const left = actual as Record<string, unknown>;
  const right = expected as Record<string, unknown>;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const difference = firstDifference(left[key], right[key], path === "" ? key : `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function show(value: unknown): string {
  const text = value === undefined ? "missing" : (JSON.stringify(value) ?? String(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
