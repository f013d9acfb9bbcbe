import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { mustRun, plainEnvironment } from "./run.ts";
import { root } from "./workspace.ts";

/** Kept between runs: each is a download of some 45 MB. */
const cache = join(root, "node_modules/.cache/askbox-nodes");

const windows = process.platform === "win32";

/** The package that npm's `node` installs on this machine; its own install script does the same, which npm may not be allowed to run. */
function packageName(): string {
  const platform = windows ? "win" : process.platform;
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${platform}-${process.arch}`;
}

/** The path of a Node of this version from npm, in a folder with nothing else. */
export async function nodeOf(version: string): Promise<string> {
  const program = windows ? "node.exe" : "node";
  const path = join(cache, version, program);
  if (existsSync(path)) return path;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "getting-"));
  try {
    await mustRun("npm", ["install", "--no-save", "--ignore-scripts", "--prefix", folder, `${packageName()}@${version}`], {
      env: plainEnvironment,
      timeout: 180_000,
    });
    const found = join(folder, "node_modules", packageName(), "bin", program);
    await chmod(found, 0o755);
    await mkdir(dirname(path), { recursive: true });
    // In one step, so that a run that is cut off leaves no half of it.
    await rename(found, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return path;
}
