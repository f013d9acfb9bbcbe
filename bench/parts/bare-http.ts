import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** The floor: a bare MCP server over HTTP in a process of its own. */
export interface BareHttp {
  url: string;
  /** How many calls it holds; lets them go; its live heap in bytes. */
  ask(question: "waiting" | "release" | "heap"): Promise<number>;
  close(): Promise<void>;
}

export async function startBareHttp(): Promise<BareHttp> {
  const child = fork(join(import.meta.dirname, "../fixtures/bare-http-server.ts"), {
    execArgv: ["--conditions=askbox-source", "--expose-gc"],
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
    },
  };
}
