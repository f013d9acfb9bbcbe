import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** One run of the tests: all its temporary files are in one folder, which also identifies its processes. */
export interface TestRun {
  folder: string;
  /** The environment for processes of the run. */
  env: Record<string, string>;
  /** Kills leftover processes and removes the folder. Resolves with a line for each process that had not ended after `grace` ms. */
  end(grace: number): Promise<string[]>;
}

const signals = { SIGINT: 130, SIGTERM: 143 } as const;

/** Starts a run that a signal ends, along with everything it started. */
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

/** A killed process may have started another one just before. */
async function killAll(folder: string): Promise<void> {
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    for (const { pid } of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has exited.
      }
    }
    await pause(20);
  }
}

interface Found {
  pid: number;
  command: string;
}

/** Processes with the folder in their environment or on their command line. Windows does not reveal them, so there are none. */
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
        // It has exited, or belongs to another user.
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
