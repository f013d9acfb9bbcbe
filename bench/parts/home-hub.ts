import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Asker } from "@askbox/core";
import { connectHub } from "@askbox/home";

/** The command's own hub in a home of its own, as people have it. */
export interface HomeHub {
  env: Record<string, string>;
  asker(): Promise<Asker>;
  close(): Promise<void>;
}

export async function startHomeHub(command: string, folder: string): Promise<HomeHub> {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const config = {
    attention: "none",
    store: "memory",
    limits: { asksPerMinute: 1_000_000, requestsPerMinute: 100_000_000, pending: 1_000_000 },
  };
  writeFileSync(join(home, "config.json"), JSON.stringify(config));
  const env = { PATH: process.env["PATH"] ?? "", ASKBOX_HOME: home, TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, "cache") };
  const child = spawn(process.execPath, [command, "hub", "--json"], { env, stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const closing: (() => void)[] = [];
  return {
    env,
    async asker() {
      const client = await connectHub({ role: "asker", agent: { name: "bench", version: "0.0.0" }, env });
      closing.push(() => client.close());
      return client.asker;
    },
    async close() {
      for (const end of closing) end();
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}
