import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/guarantees.md"), "utf8");
const named = [...page.matchAll(/^- `(?<file>[^`]+\.ts)`: "(?<sentence>.+)"$/gm)].map(({ groups }) => ({
  file: groups?.["file"] ?? "",
  sentence: groups?.["sentence"] ?? "",
}));

describe("docs/guarantees.md", () => {
  test.each(named)("names a test that exists: $sentence", ({ file, sentence }) => {
    expect(readFileSync(join(root, file), "utf8")).toContain(`"${sentence}`);
  });

  test("names files that exist", () => {
    const files = [...page.matchAll(/`((?:packages|apps|tests)\/[^`]+)`/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(named.length);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  test("has a test, and something that it rests on, for each promise", () => {
    const promises = page.split(/^## /m).slice(1, -1);
    expect(promises.length).toBeGreaterThan(5);
    for (const promise of promises) expect(promise).toMatch(/\nRests on: .*`[\s\S]*\nHeld by:\n- `/);
  });

  test("leaves out none of the failure cases", () => {
    const cases = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts") && name !== "guarantees.test.ts");
    const mentioned = new Set(named.map(({ file }) => file));
    expect(cases.filter((name) => !mentioned.has(`tests/faults/${name}`))).toEqual([]);
  });
});
