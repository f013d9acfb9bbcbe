import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { outside } from "../pages.ts";

const repository = "https://github.com/askbox/askbox";
const fileOf = new Map(Object.entries(outside).map(([file, page]) => [`${page}.md`, file]));
const isElsewhere = /^(?:[a-z][a-z+.-]*:|\/|#|$)/i;

/** The workspace's file or folder that a link leads to, and the anchor in it; nothing for a link to elsewhere. `from` is the file that holds the link. */
export function linkedFile(from: string, href: string): { file: string; anchor: string } | undefined {
  const [, inRepository] = new RegExp(`^${repository}/(?:blob|tree)/main/(.*)$`).exec(href) ?? [];
  if (inRepository === undefined && isElsewhere.test(href) && !href.startsWith("#")) return undefined;
  const [path = "", anchor = ""] = (inRepository ?? href).split("#");
  // A folder's README, as the repository's own pages show it.
  if (inRepository !== undefined && anchor === "readme") return { file: posix.join(path, "README.md"), anchor: "" };
  const folder = inRepository === undefined ? posix.dirname(from) : ".";
  return { file: path === "" ? from : posix.join(folder, decodeURI(path)), anchor };
}

/**
 * Where a link of a page leads on the site. In the files links are relative, so that they also work where the code is read; `page` is the page's
 * place on the site, such as `decisions/index.md`. What is no page of the site is looked at in the repository.
 */
export function siteLink(page: string, href: string): string {
  const target = href.startsWith("#") ? undefined : linkedFile(fileOf.get(page) ?? `docs/${page}`, href);
  if (target === undefined) return href;
  const { file } = target;
  const anchor = target.anchor === "" ? "" : `#${target.anchor}`;
  const own = outside[file];
  if (own !== undefined) return `/${own}.md${anchor}`;
  if (file.startsWith("docs/") && file.endsWith(".md")) return `/${file.slice("docs/".length).replace(/README\.md$/, "index.md")}${anchor}`;
  return `${repository}/blob/main/${file}${anchor}`;
}

/** Rewrites each page's links before VitePress looks at them. */
export function siteLinks(md: MarkdownRenderer): void {
  md.core.ruler.push("site_links", (state) => {
    const page = String((state.env as { relativePath?: string }).relativePath ?? "");
    for (const { children } of state.tokens) {
      for (const token of children ?? []) {
        if (token.type === "link_open") token.attrSet("href", siteLink(page, token.attrGet("href") ?? ""));
      }
    }
  });
}
