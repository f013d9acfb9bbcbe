import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { mustRun, plainEnvironment } from "./run.ts";

/** The command as installed by `npm install --global`, in its own prefix. */
export interface InstalledCommand {
  /** The folder of the program `askbox`. */
  bin: string;
  /** Everything installed with it. */
  footprint: { packages: number; bytes: number };
}

async function footprintOf(folder: string): Promise<{ packages: number; bytes: number }> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size));
  // A package's manifest is directly under `node_modules`, or under a scope there.
  const manifests = files.filter((path) => /node_modules[\\/](@[^\\/]+[\\/])?[^\\/@]+[\\/]package\.json$/.test(path));
  return { packages: manifests.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

export async function installCommand(tarball: string, prefix: string): Promise<InstalledCommand> {
  await mustRun("npm", ["install", "--global", "--prefer-offline", "--prefix", prefix, tarball], { env: plainEnvironment });
  const windows = process.platform === "win32";
  return { bin: windows ? prefix : join(prefix, "bin"), footprint: await footprintOf(prefix) };
}
