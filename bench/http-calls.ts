import { setTimeout as pause } from "node:timers/promises";
import type { Desk } from "@askbox/core";
import { atMost, type BenchRow } from "./harness.ts";
import { mcpHttpClient } from "./parts/mcp-http-client.ts";
import { startHub } from "./parts/start-hub.ts";

const calls = 500;
const warmUp = 50;

const questions = (number: number) => ({ questions: [{ id: "a", question: `Which database should service ${number} use?` }] });
const answer = { answers: [{ questionId: "a", values: ["SQLite"] }] };

/** What 500 calls over HTTP that wait at once cost a hub, and how soon all of them have their answers. */
export async function bench(): Promise<BenchRow[]> {
  const hub = await startHub();
  const client = mcpHttpClient(`${hub.url}/mcp?max-wait=0`, hub.askerToken);
  try {
    const { desk } = await hub.connect("desk");
    const ask = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => client.call("ask_user", questions(from + index)));
    // Everything is compiled and every buffer has grown before the count begins.
    const first = ask(1_000, warmUp);
    await answerAll(desk, await pending(desk, warmUp));
    await Promise.all(first);

    const before = await hub.ask("heap");
    const waiting = ask(0, calls);
    const ids = await pending(desk, calls);
    const heap = (await hub.ask("heap")) - before;
    const begun = performance.now();
    await answerAll(desk, ids);
    const answered = await Promise.all(waiting);
    const took = performance.now() - begun;
    const wrong = answered.filter((text) => !text.includes('"answered":true')).length;
    if (wrong > 0) throw new Error(`${wrong} of ${calls} calls did not bring their answer.`);
    return [
      atMost({ name: `${calls} HTTP calls that wait, all answered`, askbox: took / 1_000, unit: "s" }, 2),
      atMost({ name: `heap of an HTTP call that waits, ${calls} at once`, askbox: heap / calls / 1_024, unit: "KB" }, 60),
    ];
  } finally {
    client.close();
    await hub.close();
  }
}

/** The ids of so many pending sessions whose calls wait, as soon as they are there. */
async function pending(desk: Desk, count: number): Promise<string[]> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const { items } = await desk.list({ statuses: ["pending"], limit: 1_000 });
    const attached = items.filter(({ presence }) => presence.asker === "attached");
    if (attached.length === count) return attached.map(({ id }) => id);
    if (performance.now() > deadline) throw new Error(`Only ${attached.length} of ${count} calls wait.`);
    await pause(50);
  }
}

const answerAll = (desk: Desk, ids: readonly string[]) => Promise.all(ids.map((id) => desk.answer(id, answer)));
