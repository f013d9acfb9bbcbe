import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { anAsk, anAsker } from "@askbox/core/testing";
import { rolldown } from "rolldown";
import { againstFloor, atMost, type BenchRow, interleave, median, percentile } from "./harness.ts";
import { type HomeHub, startHomeHub } from "./parts/home-hub.ts";
import { openPty } from "./parts/pty.ts";

const starts = 20;
const questions = 40;
const keys = 120;
const pending = 500;
const command = resolve(import.meta.dirname, "../apps/askbox/bin/askbox.js");
const bareInk = join(import.meta.dirname, "fixtures/bare-ink.ts");

/** The terminal inbox on a real pty: its first paint beside a bare Ink program's, a question's way to the screen, and a key's echo. */
export async function bench(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "askbox-bench-"));
  const hub = await startHomeHub(command, folder);
  const { env } = hub;
  try {
    const bare = await bundle(bareInk, folder);
    const paint = (args: string[], sign: string, leave: string) => async () => {
      const began = performance.now();
      const terminal = openPty(args, env);
      const at = await terminal.wrote(sign);
      await terminal.end(leave);
      return at - began;
    };
    const painted = await interleave(starts, {
      floor: paint([bare], "bare ink", "\u0003"),
      askbox: paint([command], "askbox", "q"),
    });
    return [
      againstFloor(
        { name: "terminal inbox, opening to first paint", floor: median(painted.floor), askbox: median(painted.askbox), unit: "ms" },
        { atMost: 1.6 },
      ),
      await askedToPainted(hub),
      await keyToEcho(hub),
    ];
  } finally {
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function askedToPainted(hub: HomeHub): Promise<BenchRow> {
  const asker = await hub.asker();
  const terminal = openPty([command], hub.env);
  await terminal.wrote("nothing waits");
  const times: number[] = [];
  for (let round = -5; round < questions; round += 1) {
    await pause(50);
    const title = `matter-${round + 1_000}`;
    terminal.mark();
    const began = performance.now();
    const { session } = await asker.open(anAsk({ title }), { asker: anAsker({ agentId: title }) });
    const at = await terminal.wrote(title);
    if (round >= 0) times.push(at - began);
    terminal.mark();
    await asker.withdraw(session.id);
    await terminal.wrote("nothing waits");
  }
  await terminal.end("q");
  return atMost({ name: "question asked to painted in the terminal, p50", askbox: median(times), unit: "ms" }, 60);
}

async function keyToEcho(hub: HomeHub): Promise<BenchRow> {
  const asker = await hub.asker();
  for (let index = 0; index < pending; index += 1)
    await asker.open(anAsk({ title: `matter ${index}` }), { asker: anAsker({ agentId: `agent-${index}` }) });
  const terminal = openPty([command], hub.env);
  await terminal.wrote(`${pending} questions wait`);
  terminal.mark();
  terminal.send("\r");
  await terminal.wrote("stop typing");
  const times: number[] = [];
  for (let round = -10; round < keys; round += 1) {
    await pause(20 + (round % 7) * 3);
    const key = String.fromCharCode(0x4e00 + round + 10);
    terminal.mark();
    const began = performance.now();
    terminal.send(key);
    const at = await terminal.wrote(key);
    if (round >= 0) times.push(at - began);
  }
  await terminal.end("\u0003");
  return atMost({ name: `key to echo with ${pending} questions in the terminal, p95`, askbox: percentile(times, 0.95), unit: "ms" }, 20);
}

/** Bundles the floor by the same rules as the command (see `apps/askbox/rolldown.config.ts`). */
async function bundle(input: string, folder: string): Promise<string> {
  const bundled = await rolldown({
    input,
    platform: "node",
    // Ink's own developer tools are loaded only under DEV=true and are not installed.
    external: ["react-devtools-core"],
    transform: { target: "node22", define: { "process.env.NODE_ENV": '"production"' } },
  });
  const minify = { compress: true, mangle: false, codegen: { removeWhitespace: true } };
  await bundled.write({
    dir: folder,
    format: "esm",
    entryFileNames: "bare.mjs",
    chunkFileNames: "[name]-[hash].mjs",
    comments: false,
    minify,
  });
  await bundled.close();
  return join(folder, "bare.mjs");
}
