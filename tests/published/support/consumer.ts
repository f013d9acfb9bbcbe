import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Packed } from "./pack.ts";
import { firstExample } from "./readme.ts";
import { mustRun, plainEnvironment, type Ran, run } from "./run.ts";
import { root, workspacePackages } from "./workspace.ts";

/** A user's project that has installed the tarballs, and nothing of this workspace. */
export interface Consumer {
  folder: string;
  /** Compiles everything in it with a module resolution; with `nodenext` the programs are then in `out`. `by` is the workspace's TypeScript or the oldest supported one. */
  compile(resolution: "nodenext" | "bundler", by?: "current" | "oldest"): Promise<Ran>;
  /** The path of a compiled program, from an example or a file in `programs`. */
  program(name: string): string;
}

const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
/** The oldest supported version (docs/embedding.md). */
export const oldestTypeScript = "5.7";

/** What the examples import besides the packages, in the workspace's versions. */
const besides = ["@hono/node-server", "@types/node", "@types/react", "@types/react-dom", "happy-dom", "react", "react-dom"];
const peers = ["@modelcontextprotocol/client", "@modelcontextprotocol/server", "zod"];

const fileOf = (name: string) => name.replace("@askbox/", "");

/** A specifier in the workspace's manifests is `catalog:`; the installed version replaces it. */
function installedVersion(name: string): string {
  for (const { folder, manifest } of workspacePackages) {
    if (manifest.dependencies[name] === undefined && manifest.devDependencies[name] === undefined) continue;
    const path = join(root, folder, "node_modules", name, "package.json");
    return (require(path) as { version: string }).version;
  }
  throw new Error(`No package of the workspace has ${name}.`);
}

/** Creates the project: the READMEs' first examples and the given programs, with their dependencies. */
export async function makeConsumer(folder: string, packed: readonly Packed[], programs: Record<string, string>): Promise<Consumer> {
  const libraries = packed.filter(({ manifest }) => manifest.bin === undefined);
  const tarballs = Object.fromEntries(libraries.map(({ name, tarball }) => [name, `file:${tarball}`]));
  const manifest = {
    name: "a-project",
    private: true,
    type: "module",
    dependencies: {
      "typescript-oldest": `npm:typescript@${oldestTypeScript}`,
      ...tarballs,
      ...Object.fromEntries([...besides, ...peers].map((name) => [name, installedVersion(name)])),
    },
    // The packages' dependencies on each other are not on the registry yet.
    overrides: Object.fromEntries(Object.keys(tarballs).map((name) => [name, `$${name}`])),
  };
  await mkdir(join(folder, "src"), { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest, undefined, 2));
  for (const library of libraries) {
    const { language, code } = firstExample(library);
    await writeFile(join(folder, "src", `${fileOf(library.name)}.${language}`), code);
  }
  for (const [name, source] of Object.entries(programs)) await writeFile(join(folder, "src", name), source);
  await mustRun("npm", ["install", "--ignore-scripts", "--prefer-offline"], { cwd: folder, env: plainEnvironment });

  return {
    folder,
    program: (name) => join(folder, "out", `${fileOf(name)}.js`),
    async compile(resolution, by = "current") {
      const bundled = resolution === "bundler";
      const options = {
        strict: true,
        target: "es2024",
        lib: ["es2024", "dom", "dom.iterable"],
        module: bundled ? "esnext" : "nodenext",
        moduleResolution: resolution,
        jsx: "react-jsx",
        types: ["node"],
        skipLibCheck: false,
        rootDir: "src",
        ...(bundled ? { noEmit: true } : { outDir: "out" }),
        ...(by === "current" && { checkers: 1 }),
      };
      const path = join(folder, `tsconfig.${resolution}.json`);
      await writeFile(path, JSON.stringify({ compilerOptions: options, include: ["src"] }));
      const tsc = by === "current" ? compiler : join(folder, "node_modules/typescript-oldest/bin/tsc");
      return run(process.execPath, [tsc, "-p", path, "--pretty", "false"], { cwd: folder });
    },
  };
}
