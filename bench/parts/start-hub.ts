import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { standardPlatform } from "@askbox/core";
import { createWireClient, openWebSocket, type WireClient } from "@askbox/wire";
import { WebSocket } from "ws";
import type { HubQuestions, HubReady } from "./hub-process.ts";

/** A hub in a process and a folder of its own. */
export interface BenchHub extends HubReady {
  folder: string;
  ask<Question extends keyof HubQuestions>(question: Question): Promise<HubQuestions[Question]>;
  connect(role: "asker" | "desk"): Promise<WireClient>;
  close(): Promise<void>;
}

/** Over SQLite, or over the Redis at this URL, which others may use too. */
export async function startHub(redis?: string): Promise<BenchHub> {
  const folder = mkdtempSync(join(tmpdir(), "askbox-bench-"));
  const child = fork(join(import.meta.dirname, "hub-process.ts"), [redis ?? join(folder, "askbox.db")], {
    execArgv: ["--conditions=askbox-source", "--expose-gc", "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const nextMessage = async (): Promise<unknown> => {
    const ended = new AbortController();
    try {
      const [message] = (await Promise.race([
        once(child, "message", { signal: ended.signal }),
        once(child, "exit", { signal: ended.signal }).then(() => {
          throw new Error("The bench's hub ended.");
        }),
      ])) as unknown[];
      return message;
    } finally {
      ended.abort();
    }
  };
  const ready = (await nextMessage()) as HubReady;
  const { clock, ids } = standardPlatform(globalThis);
  const clients: WireClient[] = [];

  return {
    ...ready,
    folder,
    async ask(question) {
      const answer = nextMessage();
      child.send(question);
      return (await answer) as HubQuestions[typeof question];
    },
    async connect(role) {
      const address = new URL("/ws", ready.url.replace(/^http/, "ws"));
      const client = createWireClient({
        connect: async () => openWebSocket(new WebSocket(address, { perMessageDeflate: false })),
        hello: {
          role,
          token: role === "desk" ? ready.deskToken : ready.askerToken,
          agent: { name: "bench", version: "0.0.0" },
          ...(role === "desk" && { surface: "cli" as const }),
        },
        clock,
        ids,
      });
      await client.ready();
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) client.close();
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
