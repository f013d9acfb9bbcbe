import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";

export const root = resolve(import.meta.dirname, "../../..");

const versions = z.record(z.string(), z.string()).default({});
const target = z.union([z.string(), z.record(z.string(), z.string())]);

/** The part of a manifest that is checked. */
export const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string().optional(),
  private: z.boolean().optional(),
  description: z.string().optional(),
  keywords: z.array(z.string()).optional(),
  license: z.string().optional(),
  repository: z.looseObject({ url: z.string(), directory: z.string() }).optional(),
  engines: z.looseObject({ node: z.string() }).optional(),
  sideEffects: z.boolean().optional(),
  bin: z.record(z.string(), z.string()).optional(),
  files: z.array(z.string()).optional(),
  exports: z.record(z.string(), target).optional(),
  publishConfig: z.looseObject({ exports: z.record(z.string(), target).optional() }).optional(),
  dependencies: versions,
  optionalDependencies: versions,
  peerDependencies: versions,
  devDependencies: versions,
});
export type Manifest = z.infer<typeof manifestSchema>;

export interface WorkspacePackage {
  name: string;
  /** Relative to the root, such as `packages/core`. */
  folder: string;
  manifest: Manifest;
}

const readManifest = (folder: string): WorkspacePackage => {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")));
  return { name: manifest.name, folder, manifest };
};

const foldersIn = (parent: string): string[] =>
  readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(root, parent, entry.name, "package.json")))
    .map(({ name }) => `${parent}/${name}`);

/** Every package of the workspace except its root. */
export const workspacePackages: readonly WorkspacePackage[] = [
  ...["packages", "packages/agents", "packages/reach"].flatMap(foldersIn),
  ...foldersIn("apps"),
  "tests",
  "bench",
  "examples",
].map(readManifest);

/** The public ones. */
export const publicPackages: readonly WorkspacePackage[] = workspacePackages.filter(({ manifest }) => manifest.private !== true);

/** Everything that may be installed with a package, of any kind. */
export const installedWith = ({ dependencies, optionalDependencies, peerDependencies }: Manifest): string[] =>
  Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });

/** The public packages that are imported, not only run. */
export const libraries = publicPackages.filter(({ name }) => name.startsWith("@askbox/"));
