/** Draws the machine into the pages that show it: `pnpm machine:diagram`. */
import { readFileSync, writeFileSync } from "node:fs";
import { diagram, walk } from "./walk.ts";

/** The pages of the docs that contain the machine. */
export const pages = ["architecture.md", "concepts.md"].map((name) => new URL(`../../docs/${name}`, import.meta.url));
const [start, end] = ["<!-- machine: generated -->", "<!-- machine: end -->"];

/** The page with the diagram inserted between its marks. */
export function withDiagram(page: string): string {
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no ${start} before ${end}; put both where the diagram belongs.`);
  return `${page.slice(0, from + start.length)}\n\n\`\`\`mermaid\n${diagram(walk())}\n\`\`\`\n\n${page.slice(to)}`;
}

if (import.meta.main) {
  for (const page of pages) writeFileSync(page, withDiagram(readFileSync(page, "utf8")));
}
