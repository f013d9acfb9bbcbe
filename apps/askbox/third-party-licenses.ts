import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "rolldown";

const packagePath = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

interface Manifest {
  name: string;
  version: string;
  license?: string;
}

function describePackage(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
  const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  return `## ${name} ${version} (${license ?? "no license named"})\n${text}`;
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
      const described = [...new Set([...folders].map(describePackage))].sort((one, other) => one.localeCompare(other, "en"));
      this.emitFile({ type: "asset", fileName, source: `# Third-party software in this package\n\n${described.join("\n")}` });
    },
  };
}
