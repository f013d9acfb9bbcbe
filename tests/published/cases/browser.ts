import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { bundle, ofNode } from "../support/bundle.ts";
import type { Published } from "../support/published.ts";

export function describeBrowser(published: () => Published): void {
  test.each(["@askbox/core", "@askbox/wire", "@askbox/inbox", "@askbox/react", "@askbox/elicit", "@askbox/mcp"])(
    "%s can be bundled for a browser, without anything from Node",
    async (name) => {
      const { imports } = await bundle(published().consumer, `export * from "${name}";`, { outside: [] });
      expect(ofNode(imports)).toEqual([]);
      expect(imports).toEqual([]);
    },
  );

  test("a hub cannot be bundled for a browser, so the check above can fail", async () => {
    const { imports } = await bundle(published().consumer, `export * from "@askbox/hub";`, { outside: [] });
    expect(ofNode(imports)).toContain("node:http");
  });

  test("@askbox/core asks and answers with only what every page has", async () => {
    const { consumer } = published();
    const source = readFileSync(consumer.program("in-a-page"), "utf8");
    const { code } = await bundle(consumer, source, { outside: [], format: "iife" });
    const page = { crypto, performance, setTimeout, clearTimeout, TextEncoder, URL };
    const told = await runInNewContext(`${code};globalThis.askInPage("Deploy?")`, page);
    expect(told).toBe("true yes");
  });
}
