import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const packagesFolder = join(import.meta.dirname, "../../packages");

/** The packages with a README: the last part of their name, and their folder in `packages`, such as `agents/mcp`. */
export const packageFolders: ReadonlyMap<string, string> = new Map(
  ["", "agents/", "reach/"]
    .flatMap((group) => readdirSync(join(packagesFolder, group)).map((name) => [name, `${group}${name}`] as const))
    .filter(([, folder]) => existsSync(join(packagesFolder, folder, "README.md")))
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);
export const packages = [...packageFolders.keys()];

interface Manifest {
  name: string;
  private?: boolean;
  exports: Record<string, { "askbox-source"?: string }>;
}

/** A page of the API reference: its name, its title in the sidebar, and the entry point whose docstrings it shows. */
export interface ApiPage {
  page: string;
  title: string;
  source: string;
}

/** A page for each entry of each published package. */
export const apiPages: readonly ApiPage[] = [...packageFolders].flatMap(([name, folder]) => {
  const manifest = JSON.parse(readFileSync(join(packagesFolder, folder, "package.json"), "utf8")) as Manifest;
  if (manifest.private) return [];
  return Object.entries(manifest.exports).flatMap(([entry, { "askbox-source": source }]) => {
    if (source === undefined) return [];
    const path = entry.slice(1);
    return { page: name + path.replace("/", "-"), title: manifest.name + path, source: join("packages", folder, source) };
  });
});

/** A page's path in `docs/`, without the extension, and its title in the sidebar. */
export type Entry = readonly [page: string, text: string];

export interface Group {
  text: string;
  pages: readonly Entry[];
}

/** Every page of the site, grouped into tutorials, guides, reference and explanation. */
export const groups: readonly Group[] = [
  {
    text: "Tutorials",
    pages: [
      ["install", "Install"],
      ["start", "Quick start"],
      ["examples", "Examples"],
    ],
  },
  {
    text: "Guides: answer",
    pages: [
      ["web", "In the browser"],
      ["terminal", "In a terminal"],
      ["command-line", "From a shell"],
      ["approvals", "Approvals"],
      ["waking", "Waking agents"],
      ["client-form", "In the agent's own window"],
      ["api", "From a program"],
      ["attention", "Notifications"],
      ["push", "On your phone"],
      ["chat", "Chats"],
      ["chat-telegram", "Telegram"],
      ["chat-slack", "Slack"],
      ["chat-discord", "Discord"],
    ],
  },
  {
    text: "Guides: ask",
    pages: [
      ["clients", "Set up a client"],
      ["acp", "Agents that speak ACP"],
      ["agents-elsewhere", "Agents elsewhere"],
      ["http", "MCP over HTTP"],
      ["elicit", "elicit() for your own server"],
      ["embedding", "Embed it"],
      ["frameworks", "Agent frameworks"],
    ],
  },
  {
    text: "Guides: operate",
    pages: [
      ["troubleshooting", "Troubleshooting"],
      ["privacy", "Privacy and removal"],
      ["operations", "Operations"],
      ["webhooks", "Webhooks and push"],
      ["deploy", "Several hubs"],
      ["redis", "Redis"],
      ["reporting", "Report a vulnerability"],
    ],
  },
  {
    text: "Reference",
    pages: [
      ["commands", "Commands"],
      ["configuration", "Settings"],
      ["question-types", "Question types"],
      ["tools", "Tools"],
      ["client-entries", "What install writes"],
      ["rest", "REST"],
      ["wire", "Wire protocol"],
      ["shapes", "Shapes"],
      ["contracts", "Contracts, line by line"],
    ],
  },
  { text: "Reference: packages", pages: packages.map((name) => [`packages/${name}`, `@askbox/${name}`] as const) },
  { text: "Reference: API", pages: apiPages.map(({ page, title }) => [`reference/${page}`, title] as const) },
  {
    text: "Explanation",
    pages: [
      ["concepts", "Concepts"],
      ["guarantees", "Guarantees"],
      ["security", "Security"],
      ["limits", "Limits"],
      ["compared", "Compared with"],
      ...(existsSync(join(import.meta.dirname, "../performance.md")) ? [["performance", "Performance"] as const] : []),
      ["scale", "Scale"],
      ["architecture", "Architecture"],
      ["decisions/README", "Decisions"],
    ],
  },
  {
    text: "Project",
    pages: [
      ["contributing", "Contributing"],
      ["changelog", "Changes"],
    ],
  },
];

/** Files outside `docs/` that are pages of the site too, keyed by path. They stay where readers of the code look for them. */
export const outside: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...packageFolders].map(([name, folder]) => [`packages/${folder}/README.md`, `packages/${name}`])),
  "CHANGELOG.md": "changelog",
  "CONTRIBUTING.md": "contributing",
  "SECURITY.md": "reporting",
  "examples/README.md": "examples",
};
