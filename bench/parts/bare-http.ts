import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The floor: a bare MCP server over HTTP in a process of its own. */
export interface BareHttp {
  url: string;
  /** How many calls it holds; lets them go; its live heap in bytes. */
  ask(question: "waiting" | "release" | "heap"): Promise<number>;
  close(): Promise<void>;
}

/** With `durable`, it commits each question and each answer to a database in a temporary folder. */
export async function startBareHttp({ durable = false } = {}): Promise<BareHttp> {
  const folder = durable ? mkdtempSync(join(tmpdir(), "askbox-bench-")) : undefined;
  const database = folder === undefined ? [] : [join(folder, "asks.db")];
  const child = fork(join(import.meta.dirname, "../fixtures/bare-http-server.ts"), database, {
    execArgv: ["--conditions=askbox-source", "--expose-gc", "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    async ask(question) {
      const answered = once(child, "message");
      child.send(question);
      return Number((await answered)[0]);
    },
    async close() {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
