import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { clientSections, clientTable, limitsTable, withPart } from "./client-docs.ts";
import { commandSections } from "./commands-page.ts";

const root = resolve(import.meta.dirname, "../../..");

/** The pages with generated parts, as they are to be. */
export async function pages(): Promise<{ path: string; is: string; shouldBe: string }[]> {
  const parts = {
    "docs/clients.md": [
      ["clients", clientTable()],
      ["limits", limitsTable()],
    ],
    "docs/commands.md": [["commands", await commandSections()]],
    "docs/client-entries.md": [["entries", clientSections()]],
  } as const;
  return Object.entries(parts).map(([name, list]) => {
    const path = resolve(root, name);
    const is = readFileSync(path, "utf8");
    return { path, is, shouldBe: list.reduce((page, [part, text]) => withPart(page, part, text), is) };
  });
}
