import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const packagesFolder = join(import.meta.dirname, "../../packages");

/** The packages with a README, by their folders' names. */
export const packages = readdirSync(packagesFolder).filter((name) => existsSync(join(packagesFolder, name, "README.md")));

/** A page by its place in `docs/`, without the ending, and how the side bar calls it. */
export type Entry = readonly [page: string, text: string];

export interface Group {
  text: string;
  pages: readonly Entry[];
}

/** Every page of the site, in the order in which it is read. */
export const groups: readonly Group[] = [
  {
    text: "Begin",
    pages: [
      ["start", "Quick start"],
      ["concepts", "Concepts"],
      ["question-types", "Types of questions"],
      ["examples", "Examples"],
    ],
  },
  {
    text: "Answer",
    pages: [
      ["web", "In the browser"],
      ["terminal", "In a terminal"],
      ["command-line", "From a shell"],
      ["client-form", "In the agent's own window"],
      ["api", "By program"],
      ["attention", "Be told of a question"],
    ],
  },
  {
    text: "Agents",
    pages: [
      ["clients", "Clients"],
      ["client-entries", "What install writes"],
      ["tools", "Tools"],
      ["contracts", "Contracts, line by line"],
      ["http", "MCP over HTTP"],
      ["elicit", "elicit() for your own server"],
      ["embedding", "Embed it"],
    ],
  },
  {
    text: "Run it",
    pages: [
      ["operations", "Operations"],
      ["configuration", "Settings"],
      ["webhooks", "Webhooks and pushes"],
      ["deploy", "Several hubs"],
      ["redis", "Redis"],
      ["security", "Security"],
      ["reporting", "Report a vulnerability"],
    ],
  },
  {
    text: "Reference",
    pages: [
      ["commands", "Commands"],
      ["rest", "REST"],
      ["wire", "Wire protocol"],
      ["shapes", "Shapes"],
      ["guarantees", "Guarantees"],
      ...(existsSync(join(import.meta.dirname, "../performance.md")) ? [["performance", "Performance"] as const] : []),
      ["scale", "How far it goes"],
    ],
  },
  { text: "Packages", pages: packages.map((name) => [`packages/${name}`, `@askbox/${name}`] as const) },
  {
    text: "Behind it",
    pages: [
      ["architecture", "Architecture"],
      ["decisions/README", "Decisions"],
      ["contributing", "Contributing"],
      ["changelog", "Changes"],
    ],
  },
];

/** Files of the workspace that are pages of the site, by their place in it; they stay where readers of the code look for them. */
export const outside: Readonly<Record<string, string>> = {
  ...Object.fromEntries(packages.map((name) => [`packages/${name}/README.md`, `packages/${name}`])),
  "CHANGELOG.md": "changelog",
  "CONTRIBUTING.md": "contributing",
  "SECURITY.md": "reporting",
  "examples/README.md": "examples",
};
