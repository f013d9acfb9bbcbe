/** Draws the machine into docs/architecture.md: `pnpm machine:diagram`. */
import { readFileSync, writeFileSync } from "node:fs";
import { diagram, walk } from "./walk.ts";

const place = new URL("../../docs/architecture.md", import.meta.url);
const [start, end] = ["<!-- machine: generated -->", "<!-- machine: end -->"];

/** The page with the diagram between its marks. */
export function withDiagram(page: string): string {
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/architecture.md has no ${start} before ${end}; put both where the diagram belongs.`);
  return `${page.slice(0, from + start.length)}\n\n\`\`\`mermaid\n${diagram(walk())}\n\`\`\`\n\n${page.slice(to)}`;
}

if (import.meta.main) {
  const page = readFileSync(place, "utf8");
  writeFileSync(place, withDiagram(page));
}
