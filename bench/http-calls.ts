import { setTimeout as pause } from "node:timers/promises";
import { atMost, type BenchRow } from "./harness.ts";
import { startBareHttp } from "./parts/bare-http.ts";
import { mcpHttpClient } from "./parts/mcp-http-client.ts";
import { startHub } from "./parts/start-hub.ts";

const calls = 500;
const warmUp = 50;

/** A server that can have many calls wait and then end them. */
interface Server {
  call(number: number): Promise<string>;
  waiting(): Promise<number>;
  release(): Promise<unknown>;
  heap(): Promise<number>;
  /** What each result has in it. */
  sign: string;
  close(): Promise<void>;
}

/** What 500 calls over HTTP that wait at once cost a hub, and how soon all of them have their answers, beside a bare server that lets them go. */
export async function bench(): Promise<BenchRow[]> {
  const floor = await measured(await bareServer());
  const askbox = await measured(await hubServer());
  const time = { name: `${calls} HTTP calls that wait, all answered; floor: a bare server`, unit: "s" };
  const heap = { name: `heap of an HTTP call that waits, ${calls} at once; floor: a bare server`, unit: "KB" };
  return [
    atMost({ id: "http-calls-time", ...time, floor: floor.time, askbox: askbox.time }, 2),
    atMost({ id: "http-calls-heap", ...heap, floor: floor.heap, askbox: askbox.heap, tolerance: 0.25 }, 60),
  ];
}

async function measured(server: Server): Promise<{ time: number; heap: number }> {
  try {
    // Everything is compiled and every buffer has grown before the count begins.
    const first = Array.from({ length: warmUp }, (_, index) => server.call(1_000 + index));
    await allWait(server, warmUp);
    await server.release();
    await Promise.all(first);

    const before = await server.heap();
    const waiting = Array.from({ length: calls }, (_, index) => server.call(index));
    await allWait(server, calls);
    const heap = (await server.heap()) - before;
    const begun = performance.now();
    await server.release();
    const answered = await Promise.all(waiting);
    const took = performance.now() - begun;
    const wrong = answered.filter((text) => !text.includes(server.sign)).length;
    if (wrong > 0) throw new Error(`${wrong} of ${calls} calls did not bring their answer.`);
    return { time: took / 1_000, heap: heap / calls / 1_024 };
  } finally {
    await server.close();
  }
}

async function allWait(server: Server, count: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const waiting = await server.waiting();
    if (waiting === count) return;
    if (performance.now() > deadline) throw new Error(`Only ${waiting} of ${count} calls wait.`);
    await pause(50);
  }
}

async function bareServer(): Promise<Server> {
  const bare = await startBareHttp();
  const client = mcpHttpClient(bare.url);
  return {
    call: () => client.call("ask_user", { hold: true }),
    waiting: () => bare.ask("waiting"),
    release: () => bare.ask("release"),
    heap: () => bare.ask("heap"),
    sign: '"yes"',
    async close() {
      client.close();
      await bare.close();
    },
  };
}

async function hubServer(): Promise<Server> {
  const hub = await startHub();
  const client = mcpHttpClient(`${hub.url}/mcp?max-wait=0`, hub.askerToken);
  const { desk } = await hub.connect("desk");
  const attached = async () => {
    const { items } = await desk.list({ statuses: ["pending"], limit: 1_000 });
    return items.filter(({ presence }) => presence.asker === "attached").map(({ id }) => id);
  };
  const answer = { answers: [{ questionId: "a", values: ["SQLite"] }] };
  let known: string[] = [];
  return {
    call: (number) => client.call("ask_user", { questions: [{ id: "a", question: `Which database should service ${number} use?` }] }),
    async waiting() {
      known = await attached();
      return known.length;
    },
    release: () => Promise.all(known.map((id) => desk.answer(id, answer))),
    heap: () => hub.ask("heap"),
    sign: '"answered":true',
    async close() {
      client.close();
      await hub.close();
    },
  };
}
