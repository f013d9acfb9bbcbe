import { setTimeout as pause } from "node:timers/promises";
import type { DeskEvent } from "@askbox/core";
import { median } from "../harness.ts";
import { each, liveHeap, openScene, platform, redisBytes, request, type SimulatedHub, type StoreName } from "./scene.ts";
import { connectSurfaces } from "./surfaces.ts";

/** One figure of a simulation. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
}

export interface Plan {
  store: StoreName;
  sessions: number;
  /** How many of them are answered for each figure of answering. */
  answers: number;
  surfaces: readonly number[];
}

const agents = 100;
const atOnce = 64;
/** Who opens a session and does not wait for it counts as gone after 10 s. */
const claimsEnd = 10_500;
const owner = "agents";
const person = { surface: "web" as const, name: "Ada" };
/** The sessions of the project that surfaces watch where many do. */
const watched = 500;
const project = (number: number) => (number < watched ? "/home/ada/watched" : "/home/ada/other");

/** Drives the real broker and store to so many pending sessions and measures what each thing costs there. */
export async function simulate({ store: storeName, sessions, answers, surfaces }: Plan, publish: (figure: Figure) => void): Promise<void> {
  const scene = await openScene(storeName);
  const { redis } = scene;
  const hub = await scene.hub();
  const { broker, store } = hub;
  const others: SimulatedHub[] = [];
  const reportTime = async (name: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    publish({ name, value: performance.now() - began, unit: "ms" });
  };
  const askers = Array.from({ length: agents }, () => broker.asker(owner));
  const ids: string[] = [];
  const open = async (number: number) => {
    const asker = { client: { name: "simulation", version: "1" }, agentId: `agent-${number % agents}`, project: project(number) };
    const opened = await askers[number % agents]?.ask(request(number), { asker, maxWait: 0 });
    if (opened !== undefined) ids[number] = opened.session.id;
  };
  const wait = (number: number) => askers[number % agents]?.resume(ids[number] ?? "", { earlier: false });

  try {
    // Everything is compiled, and every buffer has grown, before the count begins.
    await each(500, atOnce, (number) => open(10_000_000 + number));
    const [heapBefore, redisBefore] = [liveHeap(), redis === undefined ? 0 : await redisBytes(redis)];
    const rssBefore = process.memoryUsage.rss();
    const [began, cpuBefore] = [performance.now(), process.cpuUsage()];
    await each(sessions, atOnce, open);
    const cpu = process.cpuUsage(cpuBefore);
    publish({ name: "asks per second", value: (sessions / (performance.now() - began)) * 1_000, unit: "1/s" });
    publish({ name: "CPU of an ask in the hub", value: (cpu.user + cpu.system) / sessions, unit: "µs" });
    await pause(claimsEnd);
    const heap = liveHeap();
    publish({ name: "heap of a pending session whose agent has gone", value: (heap - heapBefore) / sessions, unit: "bytes" });
    publish({ name: "growth of the process, a pending session", value: (process.memoryUsage.rss() - rssBefore) / sessions, unit: "bytes" });
    const redisPending = redis === undefined ? 0 : await redisBytes(redis);
    if (redis !== undefined)
      publish({ name: "Redis' data, a pending session", value: (redisPending - redisBefore) / sessions, unit: "bytes" });

    const waits: Promise<unknown>[] = [];
    await each(sessions, atOnce, async (number) => {
      waits[number] = wait(number)?.catch(() => {}) ?? Promise.resolve();
      // Goes behind what the wait reads and writes, so that no more of it lies in the connection than so many calls make.
      await store.get(ids[number] ?? "");
    });
    await until(() => broker.stats().waiting >= sessions);
    // What each wait looks up and writes is under way no more.
    await pause(2_000);
    publish({ name: "heap of a waiting call", value: (liveHeap() - heap) / sessions, unit: "bytes" });

    if (redis !== undefined) {
      publish({ name: "Redis' data, a waiting call", value: ((await redisBytes(redis)) - redisPending) / sessions, unit: "bytes" });
    }

    let newest = sessions - 1;
    /** Answers one session and gives the milliseconds until its call has the outcome. */
    const answer = async (number: number): Promise<number> => {
      const id = ids[number] ?? "";
      const at = performance.now();
      const answering = desk.answer(id, { answers: [{ questionId: "q", values: ["sqlite"] }] });
      await waits[number];
      const latency = performance.now() - at;
      await answering;
      await askers[number % agents]?.acknowledge([{ sessionId: id, withOutcome: true, withReply: false, messages: 0 }]);
      return latency;
    };
    const desk = broker.desk(person);
    const answerNewest = () => {
      newest -= 1;
      return answer(newest + 1);
    };
    for (let warm = 0; warm < Math.min(100, answers); warm += 1) await answerNewest();
    const latencies: number[] = [];
    const answersCpu = process.cpuUsage();
    for (let count = 0; count < answers; count += 1) latencies.push(await answerNewest());
    const spent = process.cpuUsage(answersCpu);
    publish({ name: "answer to result in the hub, p50", value: median(latencies), unit: "ms" });
    publish({ name: "CPU of an answer and its delivery in the hub", value: (spent.user + spent.system) / answers, unit: "µs" });

    await reportTime("a page of the 50 newest pending", () => desk.list({ statuses: ["pending"], limit: 50 }));
    await reportTime("a search that finds nothing", () => desk.list({ text: "nowhere to be found", limit: 50 }));
    await reportTime("a sweep that removes nothing", () => store.remove({ closedBefore: 1 }));

    let bytes = 0;
    const beforeSnapshot = performance.now();
    const whole = await desk.watch({}, (event: DeskEvent) => {
      if (event.type !== "snapshot") return;
      publish({ name: "a surface connects: reading all pending sessions", value: performance.now() - beforeSnapshot, unit: "ms" });
      const began = performance.now();
      for (const session of event.sessions) bytes += Buffer.byteLength(JSON.stringify(session)) + 1;
      publish({ name: "a surface connects: serialising them", value: performance.now() - began, unit: "ms" });
      publish({ name: "a surface connects: size of its snapshot", value: bytes / 1_048_576, unit: "MB" });
    });
    whole.close();

    const places = { broker, clock: platform.clock, ids: platform.ids };
    const changes = Math.floor(watched / (surfaces.length + 1));
    let oldest = 0;
    for (const count of [0, ...surfaces]) {
      const connected = await connectSurfaces(places, { count, project: project(0) });
      const [sentBefore, cpuThen] = [connected.sent, process.cpuUsage()];
      for (let change = 0; change < changes; change += 1) {
        await answer(oldest);
        oldest += 1;
      }
      const { user, system } = process.cpuUsage(cpuThen);
      publish({ name: `CPU of an answer that ${count} surfaces see`, value: (user + system) / changes, unit: "µs" });
      if (count > 0) publish({ name: "  text sent to them", value: (connected.sent - sentBefore) / changes / 1_024, unit: "KB" });
      connected.close();
    }

    const heapOfOne = liveHeap();
    await reportTime("another hub starts over it", async () => others.push(await scene.hub()));
    if (redis !== undefined) {
      // What the first tells it of who waits arrives meanwhile.
      const [other] = others;
      await until(async () => {
        const at = await other?.broker.desk(person).get(ids[oldest] ?? "");
        return at?.presence.asker === "attached";
      });
    }
    const left = broker.stats().pending;
    publish({ name: "heap of another hub, a pending session", value: (liveHeap() - heapOfOne) / left, unit: "bytes" });
    if (redis !== undefined) {
      await reportTime("messages are complete again after all connections broke", async () => {
        await redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        const [number, elsewhere] = [newest, others[0]?.broker.desk(person)];
        await until(async () => {
          const failed = await elsewhere?.answer(ids[number] ?? "", { answers: [{ questionId: "q", values: ["sqlite"] }] }).catch(String);
          return typeof failed !== "string" || failed.includes("SESSION_CLOSED") || failed.includes("already");
        });
        await waits[number];
      });
    }
  } finally {
    // The process ends with its scenario: letting go of each wait in order is no part of it.
    await redis?.stop();
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error("It did not come about within 120 s.");
    await pause(5);
  }
}
