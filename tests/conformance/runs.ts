import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as z from "zod";

const packages = { release: "@modelcontextprotocol/conformance", prerelease: "@modelcontextprotocol/conformance-next" };

/** A run of the suite: its version and the protocol revision. */
export interface Run {
  suite: keyof typeof packages;
  /** None: each scenario's own revision, including extensions. */
  revision: string | undefined;
}

const preRelease = (revision: string | undefined): Run => ({ suite: "prerelease", revision });

/** What `pnpm test` runs: the ends of what the transport speaks. */
export const oldestAndNewest: readonly Run[] = ["2025-03-26", "2026-07-28"].map(preRelease);
/** What `pnpm release:check` adds. */
export const others: readonly Run[] = [
  { suite: "release", revision: undefined },
  ...["2025-06-18", "2025-11-25", undefined].map(preRelease),
];

const checksSchema = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }));
export type Check = z.infer<typeof checksSchema>[number];

/** The names of the server scenarios in this run. */
export async function scenariosOf(run: Run): Promise<string[]> {
  const { stdout } = await suite(run, ["list", "--server", ...atRevision(run)]);
  return [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name = ""]) => name);
}

/** Runs all of them against a server. Returns findings by the scenario's name; a scenario that was not run is missing. */
export async function runSuite(run: Run, url: string): Promise<Map<string, Check[]>> {
  const folder = await mkdtemp(join(tmpdir(), "askbox-conformance-"));
  try {
    // It fails if a scenario does, but the findings are evaluated elsewhere.
    await suite(run, ["server", "--url", url, "--suite", "all", "--output-dir", folder, ...atRevision(run)]).catch(() => {});
    const found = new Map<string, Check[]>();
    for (const name of await readdir(folder)) {
      const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
      found.set(scenario, checksSchema.parse(JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8"))));
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const atRevision = ({ revision }: Run) => (revision === undefined ? [] : ["--spec-version", revision]);

function suite({ suite: name }: Run, args: readonly string[]): Promise<{ stdout: string }> {
  const manifest = fileURLToPath(import.meta.resolve(`${packages[name]}/package.json`));
  const command = join(dirname(manifest), "dist", "index.js");
  return promisify(execFile)(process.execPath, [command, ...args], { maxBuffer: 64 * 1_048_576, timeout: 240_000 });
}
