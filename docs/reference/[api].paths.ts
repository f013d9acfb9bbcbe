import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { apiPages } from "../.vitepress/pages.ts";
import { undocumented } from "./undocumented.ts";

const workspace = join(import.meta.dirname, "../..");

/** One page for each entry of each published package, made from its docstrings. */
export default {
  async paths() {
    const folder = mkdtempSync(join(tmpdir(), "askbox-api-"));
    try {
      const written = join(folder, "pages");
      const json = join(folder, "api.json");
      await write(join(folder, "typedoc.json"), written, json);
      const missing = undocumented(JSON.parse(readFileSync(json, "utf8")));
      if (missing.length > 0) throw new Error(`These exports have no docstring; write one for each:\n${missing.join("\n")}`);
      const files = readdirSync(written);
      return apiPages.map(({ page, title, source }) => {
        const file = `${moduleName(source)}.md`;
        if (!files.includes(file)) throw new Error(`TypeDoc wrote no ${file}.`);
        return { params: { api: page }, content: `# ${title}\n\n${withSiteLinks(readFileSync(join(written, file), "utf8"))}` };
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Writes a page for each entry to `out`, which TypeDoc empties first, and what they are made of to `json`. */
async function write(optionsFile: string, out: string, json: string): Promise<void> {
  const options = {
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: apiPages.map(({ source }) => join(workspace, source)),
    tsconfig: join(import.meta.dirname, "tsconfig.json"),
    outputs: [
      { name: "markdown", path: out },
      { name: "json", path: json },
    ],
    // The workspace's own compiler has checked them.
    skipErrorChecking: true,
    excludeInternal: true,
    disableSources: true,
    readme: "none",
    logLevel: "Error",
    outputFileStrategy: "modules",
    flattenOutputFiles: true,
    hidePageHeader: true,
    hidePageTitle: true,
    hideBreadcrumbs: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    typeDeclarationFormat: "table",
  };
  writeFileSync(optionsFile, JSON.stringify(options));
  const typedoc = join(dirname(createRequire(import.meta.url).resolve("typedoc/package.json")), "bin/typedoc");
  await promisify(execFile)(process.execPath, [typedoc, "--options", optionsFile], { cwd: import.meta.dirname });
}

/** As TypeDoc names the page of `packages/NAME/src/FOLDER/index.ts` or `packages/NAME/src/FILE.ts`. */
function moduleName(source: string): string {
  return source
    .replace(/^packages\//, "")
    .replace(/(?:\/index)?\.ts$/, "")
    .replaceAll("/", ".");
}

const pageOf = new Map(apiPages.map(({ page, source }) => [`${moduleName(source)}.md`, page]));

function withSiteLinks(text: string): string {
  return text.replace(/\]\(([\w.-]+\.md)(#[^)]*)?\)/g, (link, file: string, anchor = "") =>
    pageOf.has(file) ? `](/reference/${pageOf.get(file)}${anchor})` : link,
  );
}
