import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "rolldown";

const packagePath = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

interface Manifest {
  name: string;
  version: string;
  license?: string;
}

/** A package, what only its own licence says, and what follows: in most of them the words of the MIT licence. */
interface Described {
  title: string;
  own: string;
  terms: string;
}

function describePackage(folder: string): Described {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
  const start = Math.max(text.indexOf("Permission is hereby granted"), 0);
  // Lines are broken in different places.
  const terms = text
    .slice(start)
    .split(/\r?\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .join("\n\n");
  const title = `## ${name} ${version} (${license ?? "no license named"})\n`;
  return start === 0 ? { title, own: text, terms: "" } : { title, own: text.slice(0, start).trim(), terms };
}

/** Terms that several packages have are written once, at the end. */
function written(described: readonly Described[]): string {
  const all = described.map(({ terms }) => terms);
  const shared = [...new Set(all.filter((terms, index) => terms !== "" && all.indexOf(terms) !== index))];
  const parts = described.map(({ title, own, terms }) => {
    const number = shared.indexOf(terms) + 1;
    const rest = number === 0 ? terms : `The rest of this licence is text ${number} at the end of this file.`;
    return [title, own, rest].filter((part) => part !== "").join("\n");
  });
  return [...parts, ...shared.map((terms, index) => `# Text ${index + 1}\n\n${terms}`)].join("\n\n");
}

/** Writes the licences of all bundled packages to a file next to the bundle, as most of them require. */
export function thirdPartyLicenses(fileName: string): Plugin {
  return {
    name: "third-party-licenses",
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") continue;
        for (const module of output.moduleIds) {
          const folder = packagePath.exec(module)?.[1];
          if (folder !== undefined) folders.add(folder);
        }
      }
      // A package may be in several folders.
      const described = new Map([...folders].map(describePackage).map((each) => [each.title, each]));
      const sorted = [...described.values()].sort((one, other) => one.title.localeCompare(other.title, "en"));
      this.emitFile({ type: "asset", fileName, source: `# Third-party software in this package\n\n${written(sorted)}\n` });
    },
  };
}
