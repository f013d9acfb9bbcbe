import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { atMost, atMostBeyond, type BenchRow, interleave, median } from "./harness.ts";

const rounds = 2_000;
const command = resolve(import.meta.dirname, "../apps/askbox/bin/askbox.js");
const agent = join(import.meta.dirname, "fixtures/acp-echo.mjs");

/** What `askbox acp` adds to a round trip between an editor and an agent that answers at once, and its memory when it has nothing to do. */
export async function bench(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "askbox-bench-"));
  const env = { PATH: process.env["PATH"] ?? "", ASKBOX_HOME: join(folder, "home"), TMPDIR: folder };
  const direct = start([agent], env);
  const through = start([command, "acp", "--", process.execPath, agent], env);
  try {
    const times = await interleave(rounds, { floor: () => roundTrip(direct), askbox: () => roundTrip(through) });
    const memory = { floor: residentMemory(direct.child), askbox: residentMemory(through.child) };
    return [
      atMostBeyond(
        {
          id: "acp-round-trip",
          name: "ACP pass-through, round trip",
          floor: median(times.floor),
          askbox: median(times.askbox),
          unit: "ms",
        },
        0.3,
      ),
      atMost(
        { id: "acp-memory", name: "ACP pass-through, memory", floor: memory.floor, askbox: memory.askbox, unit: "MiB", tolerance: 0.15 },
        70,
      ),
    ];
  } finally {
    for (const { child } of [direct, through]) {
      child.stdin.end();
      await once(child, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

interface End {
  child: ChildProcessWithoutNullStreams;
  last: number;
}

function start(args: string[], env: Record<string, string>): End {
  return { child: spawn(process.execPath, args, { env, stdio: "pipe" }), last: 0 };
}

/** In ms. */
async function roundTrip(end: End): Promise<number> {
  const { child } = end;
  end.last += 1;
  const began = performance.now();
  child.stdin.write(`{"jsonrpc":"2.0","id":${end.last},"method":"session/list","params":{}}\n`);
  await once(child.stdout, "data");
  return performance.now() - began;
}

/** In MiB; Linux tells it in `/proc`. */
function residentMemory({ pid }: ChildProcessWithoutNullStreams): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}
