import type { MarkdownRenderer } from "vitepress";

const picture =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)" \/>\s*<img ([^>]*?)src="([^"]+)" \/>\s*<\/picture>/g;

/** A `<picture>` of two colour schemes follows the system's; on the site it follows the reader's choice there. */
export function pictures(md: MarkdownRenderer): void {
  const html = md.renderer.rules.html_block;
  md.renderer.rules.html_block = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token !== undefined) {
      token.content = token.content.replace(
        picture,
        (_, dark: string, rest: string, light: string) =>
          `<p><img class="only-light" ${rest}src="${asset(light)}" /><img class="only-dark" ${rest}src="${asset(dark)}" loading="lazy" /></p>`,
      );
    }
    return html?.(tokens, index, options, env, self) ?? token?.content ?? "";
  };
}

/** A file beside the page is told from a package by its dot. */
const asset = (path: string) => (/^[\w-]/.test(path) ? `./${path}` : path);
