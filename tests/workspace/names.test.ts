import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { findComparisons, type Named, named } from "../../scripts/names.ts";

const root = resolve(import.meta.dirname, "../..");

describe("names are only compared in the folder that owns them", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  const shapes: Named = {
    what: "shape",
    owner: ["packages/shapes/src/kinds"],
    names: () => ["round", "square", "text"],
    properties: ["type", "shape.name"],
    otherOwners: ["token"],
  };

  /** A workspace with one file. */
  function treeOf(source: string, path: string): string {
    const folder = mkdtempSync(join(tmpdir(), "askbox-names-"));
    folders.push(folder);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
    return folder;
  }

  /** What is found in a file of another package. */
  function foundIn(source: string, path = "packages/other/src/file.ts"): string[] {
    return findComparisons(treeOf(source, path), [shapes]).map(({ line, name }) => `${line} ${name}`);
  }

  test("no file in the tree compares a name elsewhere", () => {
    expect(findComparisons(root)).toEqual([]);
  });

  test("the names of each kind are read from its code", () => {
    for (const thing of named) expect(thing.names(root).length).toBeGreaterThan(0);
    const all = named.flatMap((thing) => thing.names(root));
    const some = ["multi-select", "ranking", "ask_human", "terminal", "ntfy", "claude-code", "gemini-cli-mcp-client", "Zed"];
    expect(all).toEqual(expect.arrayContaining(some));
  });

  test.each([
    ["dialect", 'export const a = (call: Call) => call.tool === "ask_human";'],
    ["dialect", 'export const a = (name: DialectName) => name === "ask_human";'],
    ["attention mode", 'export const a = ({ mode }: Options) => mode !== "notify";'],
    ["attention mode", 'export const a = (config: Config) => ["browser", "notify"].includes(config.attention);'],
    ["kind of webhook", "export const a = (target: Target) => ({ ntfy: 1, webhook: 2 })[target.kind];"],
    ["client", 'export const a = (client: ClientName) => client === "claude-code";'],
    ["client", 'export const a = (caller: Caller) => caller.client.name === "codex-mcp-client";'],
    ["client", "const known = { opencode: 1 };\nexport const a = ({ client }: Asker) => known[client.name];"],
    ["type of question", 'export const a = (question: Question) => question.type === "ranking";'],
  ])("a %s that is compared elsewhere is found", (what, source) => {
    const path = "packages/other/src/file.ts";
    expect(
      findComparisons(
        treeOf(source, path),
        named.map((thing) => ({ ...thing, names: () => thing.names(root) })),
      ),
    ).toMatchObject([{ path, what }]);
  });

  test.each([
    ["an equality", 'export const a = (shape: Shape) => shape.type === "round";'],
    ["an inequality, the name first", 'export const a = (shape: Shape) => "round" !== shape.type;'],
    ["the first of a list that may be empty", 'export const a = (list: Shape[]) => list[0]?.type === "round";'],
    ["a type that was taken out of its shape", 'export const a = ({ type }: Shape) => type === "round";'],
    ["a type that was trimmed", 'export const a = ({ type }: Shape) => type.trim() === "round";'],
    ["a switch", 'export function a(s: Shape) { switch (s.type) { case "big": return 2; case "round": return 1; } }'],
    ["a list of names", 'export const a = (s: Shape) => ["big", "round"].includes(s.type);'],
    ["a set of names, declared before", 'const some = new Set(["round"]);\nexport const a = (s: Shape) => some.has(s.type);'],
    ["a name of a shape", 'export const a = (list: List) => list.shape.name === "round";'],
    ["a table", "export const a = (s: Shape) => ({ big: 1, round: 2 })[s.type];"],
    [
      "a frozen table, declared before",
      'const some = Object.freeze({ "round": 2 } as const);\nexport const a = (s: Shape) => some[s.type];',
    ],
  ])("%s by name is found", (_what, source) => {
    expect(foundIn(source)).toEqual([expect.stringMatching(/^[12] round$/)]);
  });

  test.each([
    ["in the owner's folder", 'export const a = (s: Shape) => s.type === "round";', "packages/shapes/src/kinds/a.ts"],
    ["in a test", 'export const a = (s: Shape) => s.type === "round";', "packages/other/test/a.test.ts"],
    ["of something else with a type", 'export const a = (token: Token) => token.type === "text";', undefined],
    ["of what JavaScript calls its types", 'export const a = (type: unknown) => typeof type === "text";', undefined],
    ["of the name of something else", 'export const a = (person: Person) => person.name === "round";', undefined],
    ["that is none: a shape is made", 'export const a = { type: "round" };', undefined],
  ])("a comparison %s is allowed", (_where, source, path) => {
    expect(foundIn(source, path)).toEqual([]);
  });
});
