import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { siteLink } from "../../docs/.vitepress/markdown/links.ts";
import { apiPages, groups, outside } from "../../docs/.vitepress/pages.ts";
import { pages, root } from "./support/pages.ts";

describe("the sidebar", () => {
  const listed = groups.flatMap((group) => group.pages.map(([page]) => page));
  const own = pages.map(({ name }) => name).filter((name) => name.startsWith("docs/"));
  const places = [
    ...own.map((name) => name.slice("docs/".length, -".md".length)),
    ...Object.values(outside),
    ...apiPages.map(({ page }) => `reference/${page}`),
  ];

  test("only has pages that exist, each once", () => {
    expect(listed.filter((page) => !places.includes(page))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  test("includes every page, with decisions listed by their own index", () => {
    const isListed = (page: string) => listed.includes(page) || page === "index" || page.startsWith("decisions/");
    expect(places.filter((page) => !isListed(page))).toEqual([]);
  });
});

test("the landing page's buttons lead to pages", () => {
  const buttons = [...readFileSync(join(root, "docs/index.md"), "utf8").matchAll(/^ +link: \/(\S+)$/gm)].map(
    ([, page]) => `docs/${page}.md`,
  );
  expect(buttons.length).toBeGreaterThan(0);
  expect(buttons.filter((name) => !pages.some((page) => page.name === name))).toEqual([]);
});

test("a newcomer's path on the landing page, with that page, has at most 2,500 words", () => {
  const textOf = (page: string) => pages.find(({ name }) => name === `docs/${page}`)?.text ?? "";
  const path = /^\*\*You are new here\.\*\*(.*)$/m.exec(textOf("index.md"))?.[1] ?? "";
  const read = ["index.md", ...[...path.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page = ""]) => page)];
  expect(read.length).toBeGreaterThan(3);
  const words = read.map((page) => textOf(page).match(/\S+/g)?.length ?? 0);
  expect(words).not.toContain(0);
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2_500);
});

test("the index of decisions lists each of them", () => {
  const index = pages.find(({ name }) => name === "docs/decisions/README.md")?.text ?? "";
  const decisions = pages.flatMap(({ name }) => /^docs\/decisions\/(?!README)(.*)$/.exec(name)?.[1] ?? []);
  expect(decisions.length).toBeGreaterThan(10);
  expect(decisions.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

describe("a link", () => {
  test.each([
    ["start.md", "concepts.md#laws", "/concepts.md#laws"],
    ["decisions/index.md", "../scale.md", "/scale.md"],
    ["question-types.md", "../CONTRIBUTING.md", "/contributing.md"],
    ["contributing.md", "docs/decisions/README.md", "/decisions/index.md"],
    ["packages/elicit.md", "../../../docs/elicit.md", "/elicit.md"],
    ["packages/mcp.md", "https://github.com/askbox/askbox/blob/main/docs/elicit.md", "/elicit.md"],
    ["embedding.md", "https://github.com/askbox/askbox/tree/main/packages/agents/mcp#readme", "/packages/mcp.md"],
    ["examples.md", "machine-alone/walk.ts", "https://github.com/askbox/askbox/blob/main/examples/machine-alone/walk.ts"],
    ["start.md", "#let-an-agent-ask", "#let-an-agent-ask"],
    ["start.md", "https://example.com/a.md", "https://example.com/a.md"],
  ])("on %s to %s leads to %s on the site", (page, href, to) => {
    expect(siteLink(page, href)).toBe(to);
  });
});
