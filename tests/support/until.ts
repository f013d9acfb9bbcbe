import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";

/** How long a test waits for what takes milliseconds on an idle machine. What takes longer by itself gives its own time, and the reason. */
const usual = 15_000;

const scenes = new Set<() => string>();

/** Adds to the message of an `until` that fails: a screen, what a program has printed. Returns a function that removes it. */
export function onFailureShow(scene: () => string): () => void {
  scenes.add(scene);
  return () => scenes.delete(scene);
}

/** Polls until a condition holds, and returns its value. After `timeout` ms it fails with what was there instead. It never succeeds just by waiting. */
export async function until<Found>(
  what: string | (() => string),
  look: () => Found | undefined | false | Promise<Found | undefined | false>,
  timeout = usual,
): Promise<Found> {
  const began = performance.now();
  let seen = "nothing, since the first look has not ended";
  const late = new AbortController();
  // A look that has begun may end, which takes time on a busy machine.
  const isLate = pause(timeout + 5_000, "late" as const, { signal: late.signal });
  isLate.catch(() => {});
  try {
    for (;;) {
      const found = await Promise.race([look(), isLate]);
      if (found === "late") break;
      if (found !== undefined && found !== false) return found as Found;
      seen = inspect(found);
      const elapsed = performance.now() - began;
      if (elapsed > timeout) break;
      await pause(Math.min(20, 1 + elapsed / 20));
    }
  } finally {
    late.abort();
  }
  throw new Error(
    [`In ${timeout / 1_000} s it did not come to this: ${typeof what === "string" ? what : what()}. Last seen: ${seen}.`, ...shown()].join(
      "\n",
    ),
  );
}

function shown(): string[] {
  return [...scenes].map((scene) => {
    try {
      return scene();
    } catch (error) {
      return `(not shown: ${error})`;
    }
  });
}

/** Like `until`, for a condition whose code says what it waits for. */
export async function untilHolds(holds: () => unknown, timeout?: number): Promise<void> {
  const what = () => String(holds).replace(/^(async )?\(\) => /, "");
  await until(what, async () => Boolean(await holds()), timeout);
}

/** The last lines of a program's output or a log. */
export const lastLines = (text: string, count = 10): string => text.trimEnd().split("\n").slice(-count).join("\n");

/** Lets this many milliseconds of real time pass: how long a person or a call takes, never a wait for something to happen. */
export const spend = (milliseconds: number): Promise<void> => pause(milliseconds);
