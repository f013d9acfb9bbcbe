import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { documentActions, terminalActions, webActions } from "@askbox/inbox/commands";
import { hubDescription } from "./hub-description.ts";
import { keysText } from "./keys-page.ts";
import { metricsText } from "./metrics-page.ts";
import { operationsText, problemsText } from "./rest-page.ts";
import { settingsText } from "./settings-page.ts";
import { shapesText } from "./shapes.ts";
import { methodsText } from "./wire-page.ts";

export const root = resolve(import.meta.dirname, "../../..");

/** The pages with parts that `pnpm docs:pages` writes, in their current and expected state. */
export async function generatedPages(): Promise<{ path: string; is: string; shouldBe: string }[]> {
  const description = await hubDescription();
  const parts: Record<string, Record<string, string>> = {
    "docs/rest.md": { operations: operationsText(description), problems: problemsText() },
    "docs/shapes.md": { shapes: shapesText() },
    "docs/wire.md": { methods: methodsText() },
    "docs/terminal.md": { keys: keysText(terminalActions, "Alt") },
    "docs/web.md": { keys: keysText({ ...webActions, ...documentActions }, "Shift") },
    "docs/operations.md": { metrics: metricsText() },
    "docs/configuration.md": { settings: settingsText() },
  };
  return Object.entries(parts).map(([name, texts]) => {
    const path = resolve(root, name);
    const is = readFileSync(path, "utf8");
    return { path, is, shouldBe: Object.entries(texts).reduce((page, [part, text]) => withPart(page, part, text), is) };
  });
}

/** The page with the text inserted between the part's marks. Throws if it has none. */
function withPart(page: string, part: string, text: string): string {
  const [start, end] = [`<!-- ${part}: generated -->`, `<!-- ${part}: end -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`There is no ${start} before ${end}; put both where the part belongs.`);
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`;
}
