import { setTimeout as pause } from "node:timers/promises";
import type { AskRequest } from "@askbox/core";
import { atMost, atMostBeyond, type BenchRow } from "./harness.ts";
import { type BenchHub, startHub } from "./parts/start-hub.ts";

const sockets = 10;
const sessionsPerSocket = 1_000;
const idleSeconds = 5;

/** A request of 650 bytes as JSON, different for each number. */
function request(number: number): AskRequest {
  const questions: AskRequest["questions"] = [
    {
      id: "q_database",
      type: "select",
      question: `Which database should service ${String(number).padStart(6, "0")} use?`,
      required: true,
      options: [
        { label: "SQLite", value: "sqlite" },
        { label: "Postgres", value: "postgres" },
      ],
      allowOther: true,
    },
    { id: "q_why", type: "text", question: "", required: true },
  ];
  const made: AskRequest = { questions, timeout: 1_800_000 };
  const [, why] = questions;
  if (why !== undefined) why.question = "Why? ".padEnd(650 - JSON.stringify(made).length, "because ");
  return made;
}

async function idleCpu(hub: BenchHub): Promise<number> {
  const before = await hub.ask("cpu");
  await pause(idleSeconds * 1_000);
  return ((await hub.ask("cpu")) - before) / 1_000 / idleSeconds;
}

/** What 10,000 sessions cost a hub while nobody answers them. */
export async function bench(): Promise<BenchRow[]> {
  const hub = await startHub();
  try {
    const askers = await Promise.all(Array.from({ length: sockets }, async () => (await hub.connect("asker")).asker));
    const open = (from: number, count: number): Promise<string[]> =>
      Promise.all(
        askers.flatMap((asker, socket) =>
          Array.from({ length: count }, async (_, index) => {
            const { session } = await asker.ask(request(from + socket * count + index), {
              asker: { client: { name: "bench", version: "1" }, project: "/home/ada/engine", agentId: `agent-${socket}` },
              maxWait: 0,
            });
            // Ends with the hub.
            asker.resume(session.id).catch(() => {});
            return session.id;
          }),
        ),
      );
    // Everything is compiled and every buffer has grown before the count begins.
    const [first] = askers;
    for (const id of await open(900_000, 20)) await first?.withdraw(id);

    const cpuBefore = await idleCpu(hub);
    const heapBefore = await hub.ask("heap");
    await open(0, sessionsPerSocket);
    const heap = (await hub.ask("heap")) - heapBefore;
    await pause(1_000);
    const cpu = await idleCpu(hub);

    const count = sockets * sessionsPerSocket;
    const own = JSON.stringify(request(1)).length;
    const pending = { name: `heap of a pending session, ${count} over ${sockets} sockets; floor: its request as JSON`, unit: "KB" };
    const idle = { name: `CPU of a hub with ${count} idle sessions; floor: an empty one's`, unit: "ms/s" };
    return [
      atMost({ id: "pending-heap", ...pending, floor: own / 1_024, askbox: heap / count / 1_024, tolerance: 0.1 }, 4),
      // Next to nothing beside next to nothing.
      atMostBeyond({ id: "pending-cpu", ...idle, floor: cpuBefore, askbox: cpu, tolerance: null }, 2),
    ];
  } finally {
    await hub.close();
  }
}
