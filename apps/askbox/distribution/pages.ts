import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { clientSections, clientTable, limitsTable, withPart } from "./client-docs.ts";
import { commandSections } from "./commands-page.ts";
import { installLinks } from "./plugins.ts";

const root = resolve(import.meta.dirname, "../../..");

/** One link for each client. GitHub follows no scheme of a client, so that these are web pages which pass it on. */
function linksTable(): string {
  const vscode = `https://vscode.dev/redirect?url=${encodeURIComponent(installLinks.vscode)}`;
  const cursor = installLinks.cursor.replace("cursor://anysphere.cursor-deeplink/mcp/install", "https://cursor.com/install-mcp");
  return `[Add askbox to VS Code](${vscode}) · [Add askbox to Cursor](${cursor})`;
}

/** The pages with generated parts, as they are to be. */
export async function pages(): Promise<{ path: string; is: string; shouldBe: string }[]> {
  const parts = {
    "docs/clients.md": [
      ["clients", clientTable()],
      ["limits", limitsTable()],
    ],
    "docs/install.md": [["links", linksTable()]],
    "docs/commands.md": [["commands", await commandSections()]],
    "docs/client-entries.md": [["entries", clientSections()]],
  } as const;
  return Object.entries(parts).map(([name, list]) => {
    const path = resolve(root, name);
    const is = readFileSync(path, "utf8");
    return { path, is, shouldBe: list.reduce((page, [part, text]) => withPart(page, part, text), is) };
  });
}
