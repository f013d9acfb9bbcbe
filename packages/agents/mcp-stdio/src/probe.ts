import { standardPlatform } from "@askbox/core";
import { homeFiles, homeFolders, readJsonFile, writePrivateFile } from "@askbox/home";
import { createProbeServer, type ProbeReport } from "@askbox/mcp";
import { serveUntilLeft } from "./stdio.ts";

/** The number of reports to keep. */
const kept = 100;

/** Serves the tool that measures how long a client waits, and stores the measurements in the home. Resolves with the exit code. */
export function runProbeServer({ env, version }: { env: NodeJS.ProcessEnv; version: string }): Promise<number> {
  const { probes } = homeFiles(homeFolders({ env }));
  const { clock, ids } = standardPlatform(globalThis);
  return serveUntilLeft(createProbeServer({ clock, id: ids.session, version, record: (report) => keepProbe(probes, report) }), { env });
}

/** The measurements, newest last. */
export function readProbes(path: string): ProbeReport[] {
  const { probes } = readJsonFile(path) ?? {};
  return Array.isArray(probes) ? probes.filter(isReport) : [];
}

function keepProbe(path: string, report: ProbeReport): void {
  try {
    const others = readProbes(path).filter(({ id }) => id !== report.id);
    writePrivateFile(path, `${JSON.stringify({ probes: [...others, report].slice(-kept) }, undefined, 2)}\n`);
  } catch (error) {
    process.stderr.write(`[MCP] The measurement could not be saved: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

function isReport(value: unknown): value is ProbeReport {
  const { id, client, waited, end, startedAt } = Object(value) as Record<string, unknown>;
  const { name } = Object(client) as { name?: unknown };
  return (
    typeof id === "string" &&
    typeof name === "string" &&
    typeof waited === "number" &&
    typeof startedAt === "number" &&
    typeof end === "string"
  );
}
