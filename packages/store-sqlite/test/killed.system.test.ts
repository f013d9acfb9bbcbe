import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { freshPath } from "./temp-folder.ts";

/** Runs a process until it has acknowledged this many writes, kills it, and returns everything it acknowledged. */
async function writeAndKill(path: string, first: number, writes: number): Promise<string[]> {
  const child = spawn(process.execPath, ["--conditions=askbox-source", join(import.meta.dirname, "writer.ts"), path, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged: string[] = [];
  const gone = once(child, "close");
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(line);
      if (acknowledged.length === writes) child.kill("SIGKILL");
    }
  } finally {
    child.kill("SIGKILL");
    await gone;
  }
  return acknowledged;
}

// promise: answer-on-disk-first
test("has every write that it acknowledged after its process was killed, time and again", async () => {
  const path = freshPath();
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < 5; round += 1) {
    const lines = await writeAndKill(path, round * 100_000, 7 + round * 13);
    expect(lines.length).toBeGreaterThanOrEqual(7 + round * 13);
    for (const line of lines) {
      const [id, revision] = line.split(" ");
      acknowledged.set(String(id), Number(revision));
    }
    const warnings: string[] = [];
    const store = await openSqliteStore({ path, log: (_level, message) => warnings.push(message) });
    for (const [id, revision] of acknowledged) expect((await store.get(id))?.revision ?? 0, id).toBeGreaterThanOrEqual(revision);
    expect(store.setAside).toBeUndefined();
    expect(warnings).toEqual([]);
    await store.close();
  }
});
