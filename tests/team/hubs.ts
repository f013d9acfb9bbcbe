import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../../apps/askbox/bin/askbox.js", import.meta.url));

/** The built hub in a process of its own, which can be killed and started again at the same address. */
export interface TeamHub {
  url: string;
  /** Its own desk token, which is the space's. */
  deskToken(): string;
  start(): Promise<void>;
  /** Resolves when it has exited. */
  stop(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** What all runs of it used: seconds of CPU, and the most memory at any time, in MB. Linux only. */
  used(): { cpu: number; memory: number };
  /** Warnings and errors in its log. */
  warnings(): string[];
}

export interface TeamHubOptions {
  folder: string;
  port: number;
  store: string;
  /** Limit of the old heap, in MB; 0 for Node's own. */
  heap: number;
}

export function teamHub({ folder, port, store, heap }: TeamHubOptions): TeamHub {
  mkdirSync(folder, { mode: 0o700 });
  const ended = { cpu: 0, memory: 0 };
  let child: ChildProcess | undefined;
  const url = `http://127.0.0.1:${port}`;
  const present = () => {
    try {
      const [, after = ""] = readFileSync(`/proc/${child?.pid}/stat`, "utf8").split(") ");
      const fields = after.split(" ");
      const most = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child?.pid}/status`, "utf8"))?.[1];
      // Ticks of 10 ms: user and system time.
      return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, memory: Number(most ?? 0) / 1_024 };
    } catch {
      return { cpu: 0, memory: 0 };
    }
  };
  const used = () => {
    const now = present();
    return { cpu: ended.cpu + now.cpu, memory: Math.max(ended.memory, now.memory) };
  };
  return {
    url,
    used,
    deskToken: () => JSON.parse(readFileSync(join(folder, "desk.json"), "utf8")).deskToken,
    async start() {
      const env = { PATH: process.env["PATH"], HOME: folder, ASKBOX_HOME: folder, ASKBOX_ATTENTION: "none", ASKBOX_STORE: store };
      const limits = heap === 0 ? [] : [`--max-old-space-size=${heap}`];
      child = spawn(process.execPath, [...limits, command, "hub", "--port", String(port), "--json"], { env, stdio: "ignore" });
      for (;;) {
        if (child.exitCode !== null) throw new Error(`The hub at ${url} ended with ${child.exitCode}; see ${folder}.`);
        const isReady = await fetch(`${url}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        );
        if (isReady) return;
        await pause(50);
      }
    },
    async stop(signal) {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      Object.assign(ended, used());
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    },
    warnings() {
      const lines = readFileSync(join(folder, "logs/askbox.log"), "utf8").trim().split("\n");
      return lines.filter((line) => /"level":"(warn|error)"/.test(line));
    },
  };
}
