import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import type { Tokens } from "marked";
import { describe, expect, test } from "vitest";
import { linkedFile } from "../../docs/.vitepress/markdown/links.ts";
import { slugOf } from "../../docs/.vitepress/markdown/slug.ts";
import { type Page, pages, plainText, root, tokensOf } from "./support/pages.ts";

/** The anchors of a page's headings; duplicates get a number, as on GitHub. */
function anchorsOf(page: Page): Set<string> {
  const anchors = new Set<string>();
  for (const token of tokensOf(page)) {
    if (token.type !== "heading") continue;
    const slug = slugOf(plainText((token as Tokens.Heading).tokens));
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The targets of a page's links and images, including those in HTML. */
function linksOf(page: Page): string[] {
  return tokensOf(page).flatMap((token) => {
    if (token.type === "link" || token.type === "image") return [(token as Tokens.Link).href];
    if (token.type === "html") return [...token.raw.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g)].map(([, to = ""]) => to);
    return [];
  });
}

const anchors = new Map(pages.map((page) => [page.name, anchorsOf(page)]));

/** Files and folders of the workspace that a page names in code, except those that a build or a release writes. */
const pathsIn = ({ text }: Page): string[] =>
  [...text.matchAll(/`((?:apps|bench|docs|examples|packages|scripts|tests)\/[^`\s*<>{}]+)`/g)]
    .map(([, path = ""]) => path)
    .filter((path) => !/\/(?:dist|CHANGELOG\.md)$/.test(path));

/** The problem of a link; undefined if its target exists. */
function problemWith(link: string, from: string): string | undefined {
  const target = linkedFile(from, link);
  if (target === undefined) return link.startsWith("/") ? `${link} starts at no folder that readers of the code have` : undefined;
  if (target.file.startsWith("..")) return `${link} leads out of the workspace`;
  if (!existsSync(join(root, target.file))) return `${link}: there is no ${target.file}`;
  const isThere = target.anchor === "" || anchors.get(target.file)?.has(target.anchor);
  return isThere ? undefined : `${link}: ${target.file} has no heading for #${target.anchor}`;
}

test("there are pages to check, and links in them", () => {
  expect(pages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["README.md", "SECURITY.md", "docs/start.md", "examples/README.md"]),
  );
  expect(pages.flatMap(linksOf).length).toBeGreaterThan(100);
});

test("every picture of the docs is on a page", () => {
  const shown = new Set(pages.flatMap((page) => linksOf(page).map((link) => linkedFile(page.name, link)?.file)));
  const pictures = globSync("docs/{,images/}*.{svg,png}", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  expect(pictures.length).toBeGreaterThan(10);
  expect(pictures.filter((path) => !shown.has(path))).toEqual([]);
});

describe("every link and anchor has a target", () => {
  test.each(pages.map((page) => [page.name, page] as const))("in %s", (name, page) => {
    expect(linksOf(page).flatMap((link) => problemWith(link, name) ?? [])).toEqual([]);
  });
});

test("every file and folder named on a page exists", () => {
  const named = pages.flatMap((page) => pathsIn(page).map((path) => ({ page: page.name, path })));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});
