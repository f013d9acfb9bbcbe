import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { beginRun } from "../../scripts/test-run.ts";

const waits = ["-e", "console.log('up'); setInterval(() => {}, 1000)"];
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.skipIf(process.platform === "win32")(
  "a run of the tests",
  { meta: { needs: "a system that shows processes' environments" } },
  () => {
    test("leaves no process and no file: leftovers are named, killed and removed", async () => {
      const run = beginRun();
      writeFileSync(join(run.folder, "left"), "");
      const child = spawn(process.execPath, waits, {
        detached: true,
        stdio: ["ignore", "pipe", "ignore"],
        env: { ...process.env, ...run.env },
      });
      const ended = once(child, "close");
      await once(child.stdout, "data");
      expect(await run.end(0)).toEqual([expect.stringContaining(`${child.pid} ${process.execPath}`)]);
      await ended;
      expect(existsSync(run.folder)).toBe(false);
    });

    test("does not report what ends on its own in time", async () => {
      const run = beginRun();
      const child = spawn(process.execPath, waits, { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, ...run.env } });
      await once(child.stdout, "data");
      const end = run.end(60_000);
      child.kill();
      expect(await end).toEqual([]);
    });

    test.each([
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const)("stops everything it started when %s ends it", async (signal, exitCode) => {
      const script = join(import.meta.dirname, "fixtures/interrupted-run.ts");
      const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
      const ended = once(child, "close");
      const [line] = await once(createInterface({ input: child.stdout }), "line");
      const { folder, pid }: { folder: string; pid: number } = JSON.parse(line);
      child.kill(signal);
      expect(await ended).toEqual([exitCode, null]);
      expect(existsSync(folder)).toBe(false);
      // It was killed, which may take the system a moment on a busy machine.
      await expect.poll(() => isAlive(pid)).toBe(false);
    });
  },
);
