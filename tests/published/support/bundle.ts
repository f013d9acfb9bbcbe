import { writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type PluginBuild } from "esbuild";
import { rolldown } from "rolldown";
import type { Consumer } from "./consumer.ts";

export interface Bundle {
  /** Minified: the entry and what it needs at startup, without what it loads later. */
  code: string;
  /** The size of `code` in KB (1,000 bytes), compressed as by a server. */
  gzippedKB: number;
  /** What is imported from outside the bundle, immediately or later. */
  imports: string[];
}

const isBare = (id: string): boolean => !/^[./]|^\w:/.test(id);

export const bundlers = ["rolldown", "esbuild"] as const;

export interface BundleOptions {
  /** What is not bundled: these, or everything except one package. */
  outside: readonly string[] | { allBut: string };
  format?: "esm" | "iife";
  /** Default rolldown. */
  by?: (typeof bundlers)[number];
}

/** Bundles a module of the project for a browser. */
export async function bundle(
  { folder }: Consumer,
  source: string,
  { outside, format = "esm", by = "rolldown" }: BundleOptions,
): Promise<Bundle> {
  const input = join(folder, `bundled-${crypto.randomUUID()}.js`);
  await writeFile(input, source);
  const isOutside = (id: string) => ("allBut" in outside ? isBare(id) && id !== outside.allBut : outside.includes(id));
  const chunks = new Map((await built[by]({ input, folder, format, isOutside })).map((chunk) => [chunk.name, chunk]));
  const needed = new Set([...chunks.values()].filter(({ isEntry }) => isEntry));
  for (const { imports } of needed) {
    for (const chunk of imports.map((name) => chunks.get(name))) if (chunk !== undefined) needed.add(chunk);
  }
  const code = [...needed].map((chunk) => chunk.code).join("\n");
  const named = [...chunks.values()].flatMap(({ imports, lazyImports }) => [...imports, ...lazyImports]);
  const imports = [...new Set(named.filter((name) => !chunks.has(name)))].sort();
  return { code, gzippedKB: gzipSync(code, { level: 9 }).length / 1_000, imports };
}

interface Job {
  input: string;
  folder: string;
  format: "esm" | "iife";
  isOutside(id: string): boolean;
}

interface Chunk {
  name: string;
  code: string;
  isEntry: boolean;
  imports: string[];
  lazyImports: string[];
}

const built: Record<(typeof bundlers)[number], (job: Job) => Promise<Chunk[]>> = {
  async rolldown({ input, folder, format, isOutside }) {
    const made = await rolldown({ input, cwd: folder, platform: "browser", external: isOutside, logLevel: "silent" });
    const { output } = await made.generate({ format, minify: true });
    await made.close();
    return output.flatMap((part) =>
      part.type === "chunk"
        ? [{ name: part.fileName, code: part.code, isEntry: part.isEntry, imports: part.imports, lazyImports: part.dynamicImports }]
        : [],
    );
  },
  async esbuild({ input, folder, format, isOutside }) {
    const external = {
      name: "outside",
      setup: (build: PluginBuild) =>
        build.onResolve({ filter: /./ }, ({ path, kind }) => (kind !== "entry-point" && isOutside(path) ? { path, external: true } : null)),
    };
    const { outputFiles, metafile } = await build({
      entryPoints: [input],
      absWorkingDir: folder,
      outdir: join(folder, "bundled"),
      platform: "browser",
      bundle: true,
      minify: true,
      splitting: format === "esm",
      write: false,
      metafile: true,
      logLevel: "silent",
      format,
      plugins: [external],
    });
    return outputFiles.map(({ path, text }) => {
      const name = relative(folder, path);
      const { entryPoint, imports = [] } = metafile.outputs[name] ?? {};
      const of = (isLazy: boolean) => imports.filter(({ kind }) => (kind === "dynamic-import") === isLazy).map((one) => one.path);
      return {
        name,
        code: text,
        isEntry: entryPoint !== undefined && relative(folder, input) === entryPoint,
        imports: of(false),
        lazyImports: of(true),
      };
    });
  },
};

export const ofNode = (names: readonly string[]): string[] => names.filter(isBuiltin);
