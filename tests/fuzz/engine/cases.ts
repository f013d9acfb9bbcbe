import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../cases");

/** An input that once failed. */
export interface Case<Input> {
  file: string;
  why: string;
  input: Input;
}

export function casesOf<Input>(target: string): Case<Input>[] {
  const own = join(folder, target);
  if (!existsSync(own)) return [];
  return readdirSync(own)
    .sort()
    .map((file) => ({ file, ...(JSON.parse(readFileSync(join(own, file), "utf8")) as { why: string; input: Input }) }));
}

/** Saves an input for the tests, and returns its path. */
export function saveCase(target: string, why: string, input: unknown): string {
  const own = join(folder, target);
  mkdirSync(own, { recursive: true });
  const name = createHash("sha256").update(JSON.stringify(input)).digest("hex").slice(0, 10);
  const path = join(own, `${name}.json`);
  writeFileSync(path, `${JSON.stringify({ why: why.split("\n")[0]?.slice(0, 200), input }, undefined, 2)}\n`);
  return path;
}
