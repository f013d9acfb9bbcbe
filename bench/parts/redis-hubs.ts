import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { standardPlatform } from "@askbox/core";
import { createToken } from "@askbox/hub";
import { createWireClient, openWebSocket, type WireClient } from "@askbox/wire";
import { WebSocket } from "ws";

/** A hub over a Redis that others use too. */
export interface RedisHub {
  /** When it gave each outcome to Redis, by session id. */
  answeredAt(): Promise<Record<string, string>>;
  connect(role: "asker" | "desk"): Promise<WireClient>;
}

/** So many hubs over one Redis, each in a process of its own. */
export async function startRedisHubs(count: number, url: string): Promise<{ hubs: RedisHub[]; close(): Promise<void> }> {
  const [askerToken, deskToken] = [createToken(), createToken()];
  const { clock, ids } = standardPlatform(globalThis);
  const children: ChildProcess[] = [];
  const clients: WireClient[] = [];

  const message = async <Message>(child: ChildProcess): Promise<Message> => {
    const ended = new AbortController();
    const { signal } = ended;
    const gone = once(child, "exit", { signal }).then(() => {
      throw new Error("The bench's hub ended.");
    });
    try {
      const [received] = (await Promise.race([once(child, "message", { signal }), gone])) as [Message];
      return received;
    } finally {
      gone.catch(() => {});
      ended.abort();
    }
  };
  const start = async (): Promise<RedisHub> => {
    const child = fork(join(import.meta.dirname, "redis-hub-process.ts"), [url, askerToken, deskToken], {
      execArgv: ["--conditions=askbox-source"],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    children.push(child);
    const ready = await message<{ url: string }>(child);
    const address = new URL("/ws", ready.url.replace(/^http/, "ws"));
    return {
      answeredAt() {
        const answer = message<Record<string, string>>(child);
        child.send("given");
        return answer;
      },
      async connect(role) {
        const client = createWireClient({
          connect: async () => openWebSocket(new WebSocket(address, { perMessageDeflate: false })),
          hello: {
            role,
            token: role === "desk" ? deskToken : askerToken,
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
    };
  };
  const close = async () => {
    for (const client of clients) client.close();
    for (const child of children) {
      if (child.exitCode !== null || !child.connected) continue;
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    }
  };
  try {
    return { hubs: await Promise.all(Array.from({ length: count }, start)), close };
  } catch (error) {
    await close();
    throw error;
  }
}
