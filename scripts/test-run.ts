import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** One run of the tests: all its temporary files are in one folder, by which its processes are known too. */
export interface TestRun {
  folder: string;
  /** For what belongs to the run. */
  env: Record<string, string>;
  /** Kills what is left and removes the folder. Resolves with a line for each process that had not ended after `grace` ms. */
  end(grace: number): Promise<string[]>;
}

const signals = { SIGINT: 130, SIGTERM: 143 } as const;

/** Begins a run that a signal ends, with everything it started. */
export function beginRun(): TestRun {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "askbox-")));
  const run: TestRun = {
    folder,
    env: { TMPDIR: folder, TMP: folder, TEMP: folder },
    async end(grace) {
      const deadline = performance.now() + grace;
      while (processesOf(folder).length > 0 && performance.now() < deadline) await pause(100);
      const left = processesOf(folder).map(({ pid, command }) => `${pid} ${command}`);
      await killAll(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      return left;
    },
  };
  for (const [signal, exitCode] of Object.entries(signals)) {
    process.once(signal, () => void run.end(0).then(() => process.exit(exitCode)));
  }
  return run;
}

/** What is killed may have started another one just before. */
async function killAll(folder: string): Promise<void> {
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    for (const { pid } of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
    await pause(20);
  }
}

interface Found {
  pid: number;
  command: string;
}

/** Processes that have the folder in their environment or on their command line. Windows does not show it: there, none. */
function processesOf(folder: string): Found[] {
  const all = process.platform === "linux" ? inProc() : process.platform === "win32" ? [] : inPs();
  return all.filter(({ pid, text }) => pid !== process.pid && text.includes(folder)).map(({ pid, command }) => ({ pid, command }));
}

function inProc(): (Found & { text: string })[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return [{ pid: Number(name), command, text: `${command} ${readFileSync(`/proc/${name}/environ`, "utf8")}` }];
      } catch {
        // It has ended, or is somebody else's.
        return [];
      }
    });
}

function inPs(): (Found & { text: string })[] {
  const lines = execFileSync("ps", ["-E", "-A", "-ww", "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 2 ** 26 }).split("\n");
  return lines.flatMap((line) => {
    const [, pid, text = ""] = /^\s*(\d+) (.*)/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), command: text, text }];
  });
}
