import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyWorkspace, type WorkspaceCopy } from "./workspace-copy.ts";

describe("the build", () => {
  let copy: WorkspaceCopy;
  let before: Map<string, string>;

  beforeAll(() => {
    copy = copyWorkspace();
    before = copy.buildHashes();
  });
  afterAll(() => copy.remove());

  const changed = (): string[] => {
    const after = copy.buildHashes();
    return [...before].filter(([name, hash]) => after.get(name) !== hash).map(([name]) => name);
  };

  test("knows every package", () => {
    expect([...before.keys()]).toEqual(expect.arrayContaining(["askbox", "@askbox/core", "@askbox/hub", "@askbox/mcp-stdio"]));
  });

  test("does nothing if nothing has changed", () => {
    expect(changed()).toEqual([]);
  });

  test("does nothing if only a test has changed", () => {
    copy.write("packages/core/test/new.test.ts", "export {};\n");
    expect(changed()).toEqual([]);
  });

  test("rebuilds the command after a store has changed, and skips what does not use it", () => {
    copy.write("packages/store-sqlite/src/new.ts", "export {};\n");
    expect(changed().sort()).toEqual(["@askbox/hub-process", "@askbox/store-sqlite", "askbox"]);
  });

  test("rebuilds everything that depends on the core after it has changed", () => {
    copy.write("packages/core/src/new.ts", "export {};\n");
    const without = ["@askbox/terminal-text"];
    expect(changed().sort()).toEqual([...before.keys()].filter((name) => !without.includes(name)).sort());
  });
});
