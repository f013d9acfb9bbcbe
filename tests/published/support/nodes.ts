import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { mustRun, plainEnvironment } from "./run.ts";
import { root } from "./workspace.ts";

/** Kept between runs: each is a download of about 45 MB. */
const cache = join(root, "node_modules/.cache/askbox-nodes");

/** The oldest supported Node, the one the workspace uses, and the newest. */
export const newEnough = ["22.13", "24", "26"];
export const tooOld = "20";

const windows = process.platform === "win32";

/** The package that npm's `node` installs on this machine; its own install script does the same, but npm may not be allowed to run it. */
function packageName(): string {
  const platform = windows ? "win" : process.platform;
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${platform}-${process.arch}`;
}

const program = windows ? "node.exe" : "node";
const pathOf = (version: string) => join(cache, version, program);
const isOwn = (version: string) => version === process.versions.node.split(".")[0];

/** The path of a Node of this version: this process's own, or one from npm in a folder with nothing else. */
export async function nodeOf(version: string): Promise<string> {
  if (isOwn(version)) return process.execPath;
  const path = pathOf(version);
  if (existsSync(path)) return path;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "getting-"));
  try {
    await mustRun(
      "npm",
      ["install", "--no-save", "--ignore-scripts", "--prefer-offline", "--prefix", folder, `${packageName()}@${version}`],
      {
        env: plainEnvironment,
      },
    );
    const found = join(folder, "node_modules", packageName(), "bin", program);
    await chmod(found, 0o755);
    await mkdir(dirname(path), { recursive: true });
    // Atomically, so that an interrupted run leaves no incomplete copy.
    await rename(found, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return path;
}
