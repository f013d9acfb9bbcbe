import { writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import type { Consumer } from "./consumer.ts";

export interface Bundle {
  /** Minified: the entry and what it needs before it runs, without what it loads later. */
  code: string;
  /** KB (1,000 bytes) of `code`, compressed as a server sends it. */
  gzippedKB: number;
  /** What is imported from outside the bundle, now or later. */
  imports: string[];
}

const isBare = (id: string): boolean => !/^[./]|^\w:/.test(id);

/** Bundles, for a browser, a module text of the project: with everything in it but `outside`, or with nothing but the package of its own. */
export async function bundle(
  { folder }: Consumer,
  source: string,
  { outside, format = "esm" }: { outside: readonly string[] | { allBut: string }; format?: "esm" | "iife" },
): Promise<Bundle> {
  const input = join(folder, `bundled-${crypto.randomUUID()}.js`);
  await writeFile(input, source);
  const isOutside = (id: string) => ("allBut" in outside ? isBare(id) && id !== outside.allBut : outside.includes(id));
  const built = await rolldown({ input, cwd: folder, platform: "browser", external: isOutside, logLevel: "silent" });
  const { output } = await built.generate({ format, minify: true });
  await built.close();

  const chunks = new Map(output.flatMap((part) => (part.type === "chunk" ? [[part.fileName, part] as const] : [])));
  const needed = new Set([...chunks.values()].filter(({ isEntry }) => isEntry));
  for (const { imports } of needed) {
    for (const chunk of imports.map((name) => chunks.get(name))) if (chunk !== undefined) needed.add(chunk);
  }
  const code = [...needed].map((chunk) => chunk.code).join("\n");
  const named = [...chunks.values()].flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const imports = [...new Set(named.filter((name) => !chunks.has(name)))].sort();
  return { code, gzippedKB: gzipSync(code, { level: 9 }).length / 1_000, imports };
}

export const ofNode = (names: readonly string[]): string[] => names.filter(isBuiltin);
