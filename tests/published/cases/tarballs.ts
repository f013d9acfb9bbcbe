import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, test } from "vitest";
import { type Published, packedAs } from "../support/published.ts";
import { run } from "../support/run.ts";
import { installedWith, publicPackages, root } from "../support/workspace.ts";

const require = createRequire(import.meta.url);
const attw = join(dirname(require.resolve("@arethetypeswrong/cli/package.json")), "dist/index.js");
/** Specifiers of imports, exports and `import(…)` in compiled modules and types. */
const specifier = /(?:\bfrom|\bimport)\s*\(?\s*"([^"\s]+)"/g;
const packageOf = (name: string) => name.split("/", name.startsWith("@") ? 2 : 1).join("/");

export function describeTarballs(published: () => Published): void {
  describe.each(publicPackages)("the tarball of $name", ({ name, manifest, folder }) => {
    const it = () => packedAs(name, published());

    test("contains licence, README and the built files, and no stray ones", () => {
      expect(it().files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
      const unknown = it().files.filter((file) => !/^(LICENSE|README\.md|package\.json|config\.schema\.json|(bin|dist)\/.+)$/.test(file));
      expect(unknown).toEqual([]);
      if (manifest.bin !== undefined) return;
      const orphans = it()
        .files.filter((file) => /^dist\/.+\.js$/.test(file))
        .filter((file) => !existsSync(join(root, folder, file.replace("dist/", "src/").replace(/\.js$/, ".ts"))));
      expect(orphans, `Older builds left these in ${folder}/dist: remove that folder and build again`).toEqual([]);
    });

    test("only refers to files it contains, and not to sources it does not contain", () => {
      const text = JSON.stringify(it().published.exports);
      expect(text).not.toContain("askbox-source");
      const targets = [...text.matchAll(/"\.\/([^"]+\.(?:js|ts|json))"/g)].map(([, path = ""]) => path);
      expect(targets.filter((path) => !it().files.includes(path))).toEqual([]);
    });

    test("depends on versions rather than workspace paths, and on its exact own version of the others", () => {
      const { dependencies, peerDependencies, optionalDependencies, devDependencies } = it().published;
      const asked = Object.values({ ...devDependencies, ...dependencies, ...peerDependencies, ...optionalDependencies });
      expect(asked.filter((version) => !/^[\^~]?\d+\.\d+\.\d+/.test(version))).toEqual([]);
      const ours = Object.entries({ ...dependencies, ...peerDependencies }).filter(([dependency]) => dependency.startsWith("@askbox/"));
      expect(ours.filter(([, version]) => version !== manifest.version)).toEqual([]);
    });

    test("has no devDependencies", () => {
      expect(Object.keys(it().published.devDependencies)).toEqual([]);
    });

    test("imports only what is installed with it", () => {
      if (manifest.bin !== undefined) return expect(installedWith(it().published)).toEqual([]);
      const installed = [...installedWith(it().published), name];
      const undeclared = it()
        .files.filter((file) => /\.(js|d\.ts)$/.test(file))
        .flatMap((file) => {
          const text = readFileSync(join(it().unpacked, file), "utf8");
          const named = [...text.matchAll(specifier)].map(([, imported = ""]) => imported);
          const foreign = named.filter((imported) => !imported.startsWith(".") && !imported.startsWith("node:"));
          return foreign.filter((imported) => !installed.includes(packageOf(imported))).map((imported) => `${file}: ${imported}`);
        });
      expect(undeclared).toEqual([]);
    });

    test("has source maps that include their sources", () => {
      const maps = it().files.filter((file) => file.endsWith(".js.map"));
      const empty = maps.filter((file) => !JSON.parse(readFileSync(join(it().unpacked, file), "utf8")).sourcesContent?.[0]);
      expect(empty).toEqual([]);
    });

    test("passes publint", async () => {
      const { buffer } = new Uint8Array(readFileSync(it().tarball));
      const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
      expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
    });

    test("has types that work for every way to import it", async () => {
      const { code, stdout, stderr } = await run(process.execPath, [attw, it().tarball, "--profile", "esm-only", "--format", "json"]);
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
      // The command is run, not imported.
      const types = manifest.bin === undefined ? { kind: "included" } : false;
      expect(JSON.parse(stdout).analysis.types).toEqual(types);
    });
  });

  test("only the machine's own types mention XState, whose next version changes them", () => {
    const core = packedAs("@askbox/core", published());
    const leaks = core.files.filter((file) => file.endsWith(".d.ts") && readFileSync(join(core.unpacked, file), "utf8").includes("xstate"));
    expect(leaks).toEqual(["dist/session/machine.d.ts"]);
  });
}
