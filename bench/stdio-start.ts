import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { againstFloor, type BenchRow, interleave, median } from "./harness.ts";

const rounds = 40;
const command = resolve(import.meta.dirname, "../apps/askbox/bin/askbox.js");
const bareServer = join(import.meta.dirname, "fixtures/bare-server.ts");

/** What a client of the 2025 era sends at once: every server answers its list of tools after these. */
const opening = [
  { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "0" } } },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
];

interface Start {
  /** From the spawn to the list of tools, in ms. */
  time: number;
  /** Resident memory when the list has arrived, in MiB. */
  memory: number;
}

/** The time from spawning the stdio server to its list of tools, and its memory then, beside a bare server bundled alike. */
export async function bench(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "askbox-bench-"));
  try {
    const bare = await bundle(bareServer, folder);
    // Node keeps its compile cache, which only the command turns on, in the folder for temporary files.
    const env = { PATH: process.env["PATH"] ?? "", ASKBOX_HOME: join(folder, "home"), TMPDIR: folder };
    const memory = { floor: [] as number[], askbox: [] as number[] };
    const measure = (kind: keyof typeof memory, args: string[]) => async () => {
      const started = await start(args, env);
      memory[kind].push(started.memory);
      return started.time;
    };
    const times = await interleave(rounds, { floor: measure("floor", [bare]), askbox: measure("askbox", [command, "mcp"]) });
    return [
      againstFloor(
        {
          id: "stdio-start",
          name: "stdio server, spawn to tools/list",
          floor: median(times.floor),
          askbox: median(times.askbox),
          unit: "ms",
        },
        { atMost: 1.15 },
      ),
      againstFloor(
        {
          id: "stdio-memory",
          name: "stdio server, memory at tools/list",
          floor: median(memory.floor),
          askbox: median(memory.askbox),
          unit: "MiB",
          tolerance: 0.15,
        },
        { atMost: 1.2 },
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles the bare server by the same rules as the command (see `apps/askbox/rolldown.config.ts`). */
async function bundle(input: string, folder: string): Promise<string> {
  const bundled = await rolldown({
    input,
    platform: "node",
    transform: { target: "node22", define: { "process.env.NODE_ENV": '"production"' } },
  });
  const minify = { compress: true, mangle: false, codegen: { removeWhitespace: true } };
  await bundled.write({ dir: folder, format: "esm", entryFileNames: "bare.mjs", comments: false, minify });
  await bundled.close();
  return join(folder, "bare.mjs");
}

async function start(args: string[], env: Record<string, string>): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: "pipe" });
  const ended = once(child, "close");
  child.stdin.write(opening.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
  await listOfTools(child);
  const time = performance.now() - began;
  const memory = residentMemory(child.pid ?? 0);
  // As clients do; a server that is killed could not write its compile cache.
  child.stdin.end();
  await ended;
  return { time, memory };
}

async function listOfTools(child: ChildProcessWithoutNullStreams): Promise<void> {
  let text = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes('"tools":[') && text.endsWith("\n")) return;
  }
  throw new Error(`A server left without a list of tools: ${text}`);
}

/** In MiB; Linux tells it in `/proc`. */
function residentMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}
