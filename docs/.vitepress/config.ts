import { defineConfig } from "vitepress";
import { diagrams } from "./markdown/diagrams.ts";
import { siteLinks } from "./markdown/links.ts";
import { groups } from "./pages.ts";

/** Where the code can be seen, such as https://git.example/askbox/blob/main: links to files that are no page lead there. */
const repository = process.env["DOCS_REPOSITORY"];
const linkOf = (page: string) => `/${page.replace(/README$/, "")}`;

export default defineConfig({
  title: "askbox",
  description: "One inbox for every coding agent that needs a person.",
  lang: "en",
  // Below a folder of a host: DOCS_BASE=/askbox/.
  base: process.env["DOCS_BASE"] ?? "/",
  rewrites: { "decisions/README.md": "decisions/index.md" },
  srcExclude: ["public/**"],
  head: [["link", { rel: "icon", href: `${process.env["DOCS_BASE"] ?? "/"}icon.svg`, type: "image/svg+xml" }]],
  markdown: {
    config(md) {
      siteLinks(md, repository);
      diagrams(md);
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
    docFooter: { prev: "Before", next: "Next" },
  },
  vite: { server: { host: "127.0.0.1" }, preview: { host: "127.0.0.1" } },
});
