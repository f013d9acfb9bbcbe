import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { groups } from "../../docs/.vitepress/pages.ts";
import { type Finished, runTool } from "../../scripts/run.ts";

const folder = mkdtempSync(join(tmpdir(), "askbox-docs-"));
let built: Finished;

beforeAll(async () => {
  built = await runTool("vitepress", "vitepress", ["build", "docs", "--outDir", folder], { output: "keep" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = () => readdirSync(folder, { recursive: true, encoding: "utf8" });
const html = () => files().filter((name) => name.endsWith(".html"));
const read = (name: string) => readFileSync(join(folder, name), "utf8");

describe("pnpm docs:build", { tags: "nightly" }, () => {
  test("succeeds, and only warns about the size of a chunk", () => {
    expect(built.exitCode, built.output).toBe(0);
    expect(built.output).not.toMatch(/dead link|falling back|not loaded/i);
  });

  test("builds each page in the sidebar", () => {
    const missing = groups
      .flatMap(({ pages }) => pages.map(([page]) => `${page.replace(/README$/, "index")}.html`))
      .filter((name) => !existsSync(join(folder, name)));
    expect(missing).toEqual([]);
  });

  test("contains the docstrings of each published entry", () => {
    expect(read("reference/core.html")).toMatch(/createBroker[\s\S]*memoryStore/);
    expect(read("reference/mcp-http.html")).toContain("tools over MCP for every revision");
    expect(read("reference/core.html").replace(/<[^>]*>/g, "")).toMatch(/Example[\s\S]*const broker = await createBroker\(/);
  });

  test("loads nothing from other hosts: no script, style, font or image", () => {
    const loads =
      /<(?:script|img|source|iframe|video|audio)\b[^>]*\b(?:src|srcset)="(?:https?:)?\/\/[^"]*"|<link\b[^>]*\bhref="(?:https?:)?\/\/[^"]*"|@import[^;]*\/\//g;
    expect(html().length).toBeGreaterThan(25);
    for (const name of html()) expect([name, read(name).match(loads)]).toEqual([name, null]);
    const styles = files().filter((name) => name.endsWith(".css"));
    expect(styles.length).toBeGreaterThan(0);
    for (const name of styles) expect([name, read(name).match(/url\(["']?(?:https?:)?\/\/|@import/g)]).toEqual([name, null]);
  });

  test("contains the images of its pages", () => {
    const shown = html().flatMap((name) => [...read(name).matchAll(/<img\b[^>]*\bsrc="(\/[^"]*)"/g)].map(([, path = ""]) => path));
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  });

  test("renders the diagrams, and leaves none to be rendered in the browser", () => {
    expect(read("concepts.html")).toMatch(/<div class="diagram"><svg[\s\S]*pending[\s\S]*timedOut/);
    for (const name of html()) expect([name, read(name).includes("language-mermaid")]).toEqual([name, false]);
  });
});
