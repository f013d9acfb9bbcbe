import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { bundle, ofNode } from "../support/bundle.ts";
import type { Published } from "../support/published.ts";

export function describeBrowser(published: () => Published): void {
  test.each(["@askbox/core", "@askbox/wire", "@askbox/react", "@askbox/mcp"])(
    "%s is bundled for a browser whole, and nothing of Node is left in it",
    async (name) => {
      const { imports } = await bundle(published().consumer, `export * from "${name}";`, { outside: [] });
      expect(ofNode(imports)).toEqual([]);
      expect(imports).toEqual([]);
    },
  );

  test("a hub is not for a browser, and the check above would say so", async () => {
    const { imports } = await bundle(published().consumer, `export * from "@askbox/hub";`, { outside: [] });
    expect(ofNode(imports)).toContain("node:http");
  });

  test("@askbox/core asks and answers where there is nothing but what every page has", async () => {
    const { consumer } = published();
    const source = readFileSync(consumer.program("in-a-page"), "utf8");
    const { code } = await bundle(consumer, source, { outside: [], format: "iife" });
    const page = { crypto, performance, setTimeout, clearTimeout, TextEncoder, URL };
    const told = await runInNewContext(`${code};globalThis.askInPage("Deploy?")`, page);
    expect(told).toBe("true yes");
  });
}
