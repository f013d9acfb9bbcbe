import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { mustRun, plainEnvironment } from "./run.ts";
import { type Manifest, manifestSchema, publicPackages, root, type WorkspacePackage } from "./workspace.ts";

/** A public package as it would be published. */
export interface Packed extends WorkspacePackage {
  tarball: string;
  /** Its files, unpacked. */
  unpacked: string;
  /** The manifest in the tarball; `manifest` is the workspace's. */
  published: Manifest;
  /** As in the tarball, without `package/`. */
  files: readonly string[];
}

/** Packs every public package into a folder, as `pnpm publish` does. They must have been built. */
export async function packAll(into: string): Promise<Packed[]> {
  const filters = publicPackages.flatMap(({ name }) => ["--filter", name]);
  await mustRun("npx", ["-y", "pnpm@12", "-r", ...filters, "pack", "--pack-destination", into], { cwd: root, env: plainEnvironment });
  return Promise.all(
    publicPackages.map(async (source) => {
      const stem = source.name.replace("@", "").replace("/", "-");
      const tarball = join(into, `${stem}-${source.manifest.version}.tgz`);
      const folder = join(into, stem);
      await mkdir(folder);
      await mustRun("tar", ["-xzf", tarball, "-C", folder]);
      const listed = await mustRun("tar", ["-tzf", tarball]);
      const unpacked = join(folder, "package");
      return {
        ...source,
        tarball,
        unpacked,
        published: manifestSchema.parse(JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"))),
        files: listed
          .trimEnd()
          .split("\n")
          .map((path) => path.replace("package/", "")),
      };
    }),
  );
}
