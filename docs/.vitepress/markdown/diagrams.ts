import { renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownRenderer } from "vitepress";

const colors = {
  bg: "var(--vp-c-bg)",
  fg: "var(--vp-c-text-1)",
  muted: "var(--vp-c-text-2)",
  accent: "var(--vp-c-brand-1)",
  surface: "var(--vp-c-bg-soft)",
  border: "var(--vp-c-divider)",
};

/** Draws `mermaid` blocks while the site is built, in the page's own colours: nothing is left to be drawn in the browser. */
export function diagrams(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() !== "mermaid") return fence?.(tokens, index, options, env, self) ?? "";
    return `<div class="diagram" v-pre>${drawn(token.content, index)}</div>\n`;
  };
}

/**
 * The library's style sheet would load a font from elsewhere and stand for the whole page; what it says of colours goes to the picture itself,
 * and its marks get a name of their own, since ids are the page's.
 */
function drawn(source: string, index: number): string {
  const svg = renderMermaidSVG(source, { ...colors, transparent: true, font: "inherit" });
  const [sheet = ""] = /<style>[\s\S]*?<\/style>/.exec(svg) ?? [];
  const variables = [...sheet.matchAll(/--[\w-]+:[^;]+;/g)].map(([declaration]) => declaration.replace(/\s+/g, " ")).join("");
  return svg.replace(sheet, "").replace('style="', `role="img" style="${variables}`).replaceAll("arrowhead", `arrow-${index}`);
}
