import { defineConfig } from "vitepress";
import { diagrams } from "./markdown/diagrams.ts";
import { siteLinks } from "./markdown/links.ts";
import { pictures } from "./markdown/pictures.ts";
import { slugOf } from "./markdown/slug.ts";
import { groups } from "./pages.ts";

/** Below a folder of a host: DOCS_BASE=/askbox/. */
const base = process.env["DOCS_BASE"] ?? "/";
const linkOf = (page: string) => `/${page.replace(/README$/, "")}`;

export default defineConfig({
  title: "askbox",
  description: "One inbox for every coding agent that needs a person.",
  lang: "en",
  base,
  rewrites: { "decisions/README.md": "decisions/index.md" },
  srcExclude: ["public/**"],
  head: [["link", { rel: "icon", href: `${base}icon.svg`, type: "image/svg+xml" }]],
  markdown: {
    languageAlias: { caddy: "nginx" },
    anchor: { slugify: slugOf },
    config(md) {
      siteLinks(md);
      diagrams(md);
      pictures(md);
    },
  },
  themeConfig: {
    nav: [
      { text: "Quick start", link: "/start" },
      { text: "Concepts", link: "/concepts" },
      { text: "Clients", link: "/clients" },
      { text: "Operations", link: "/operations" },
      { text: "Security", link: "/security" },
    ],
    sidebar: groups.map(({ text, pages }) => ({ text, items: pages.map(([page, title]) => ({ text: title, link: linkOf(page) })) })),
    outline: { level: [2, 3] },
    search: { provider: "local" },
    docFooter: { prev: "Previous", next: "Next" },
  },
  vite: { server: { host: "127.0.0.1" }, preview: { host: "127.0.0.1" } },
});
