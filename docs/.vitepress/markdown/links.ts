import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { outside } from "../pages.ts";

const fileOf = new Map(Object.entries(outside).map(([file, page]) => [`${page}.md`, file]));
const isElsewhere = /^(?:[a-z][a-z+.-]*:|\/|#|$)/i;

/**
 * Where a link of a page leads on the site. In the files links are relative, so that they also work where the code is read; `page` is the page's
 * place on the site, such as `decisions/index.md`. Nothing for a link to a file that is no page, unless `repository` says where the code is to be seen.
 */
export function siteLink(page: string, href: string, repository?: string): string | undefined {
  if (isElsewhere.test(href)) return href;
  const [path = "", hash] = href.split("#");
  const file = posix.join(posix.dirname(fileOf.get(page) ?? `docs/${page}`), decodeURI(path));
  const anchor = hash === undefined ? "" : `#${hash}`;
  const own = outside[file];
  if (own !== undefined) return `/${own}.md${anchor}`;
  if (file.startsWith("docs/") && file.endsWith(".md")) return `/${file.slice("docs/".length).replace(/README\.md$/, "index.md")}${anchor}`;
  return repository === undefined ? undefined : `${repository}/${file}${anchor}`;
}

/** Rewrites each page's links before VitePress looks at them. A link to a file that is no page becomes its text. */
export function siteLinks(md: MarkdownRenderer, repository: string | undefined): void {
  md.core.ruler.push("site_links", (state) => {
    const page = String((state.env as { relativePath?: string }).relativePath ?? "");
    for (const { children } of state.tokens) {
      const open: boolean[] = [];
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const to = siteLink(page, token.attrGet("href") ?? "", repository);
          open.push(to !== undefined);
          if (to !== undefined) token.attrSet("href", to);
        }
        const isPlain = (token.type === "link_open" || token.type === "link_close") && open.at(-1) === false;
        if (token.type === "link_close") open.pop();
        if (isPlain) {
          token.type = "text";
          token.content = "";
        }
      }
    }
  });
}
