import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { createToken } from "@askbox/hub";
import { startRedis } from "@askbox/store-redis/testing";
import { againstFloor, type BenchRow, interleave, median } from "./harness.ts";

const rounds = 10;
const asksPerRound = 1_000;
const atOnce = 32;
const [few, many] = [10, 500];

/** What named tokens cost a hub over Redis as they become many. Each round crosses a boundary at which every token's last use is due to be saved. */
export async function bench(): Promise<BenchRow[]> {
  const redis = await startRedis({ settings: { appendfsync: "everysec" } });
  const hubs = [await startHub(`${redis.url}?prefix=few`, few), await startHub(`${redis.url}?prefix=many`, many)] as const;
  try {
    const spent = await interleave(rounds, { floor: hubs[0].round, askbox: hubs[1].round });
    const name = `CPU of an ask over Redis with ${many} named tokens in use, their last uses included; floor: with ${few}`;
    return [
      againstFloor({ id: "redis-tokens", name, floor: median(spent.floor), askbox: median(spent.askbox), unit: "ms" }, { atMost: 1.2 }),
    ];
  } finally {
    for (const hub of hubs) await hub.close();
    await redis.stop();
  }
}

async function startHub(url: string, count: number) {
  const deskToken = createToken();
  const child = fork(join(import.meta.dirname, "parts/redis-token-hub.ts"), [url, deskToken], {
    execArgv: ["--conditions=askbox-source"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [ready] = (await once(child, "message")) as [{ url: string }];
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const post = (path: string, token: string, body: object) =>
    new Promise<{ token: string }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const sent = request(new URL(path, ready.url), { method: "POST", agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        response.on("end", () => (response.statusCode === 201 ? resolve(JSON.parse(text)) : reject(new Error(text))));
      });
      sent.on("error", reject).end(JSON.stringify(body));
    });
  const tell = async (what: "later" | "cpu") => {
    const answer = once(child, "message");
    child.send(what);
    const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
    return (user + system) / 1_000;
  };
  const tokens: string[] = [];
  for (let number = 0; number < count; number += 1) {
    tokens.push((await post("/api/tokens", deskToken, { name: `agent-${number}`, scope: "asker" })).token);
  }
  let asked = 0;
  return {
    /** The CPU time of an ask, in ms. */
    async round() {
      const before = await tell("cpu");
      await tell("later");
      let left = asksPerRound;
      const lane = async () => {
        while (left > 0) {
          left -= 1;
          asked += 1;
          const question = { id: "q", type: "confirm", question: `Ask ${asked}: go on?` };
          await post("/api/sessions", tokens[asked % count] ?? "", { questions: [question] });
        }
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      return ((await tell("cpu")) - before) / asksPerRound;
    },
    async close() {
      agent.destroy();
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}
