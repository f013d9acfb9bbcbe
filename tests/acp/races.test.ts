import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { SessionView } from "@askbox/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { until } from "../support/until.ts";
import { openEditor, picked } from "./support/editor.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

/** A random time of up to 3 ms, from a seed. */
function* offsets(seed: number): Generator<number, never> {
  for (let at = 0; ; at += 1) yield createHash("sha256").update(`${seed} ${at}`).digest().readUInt16BE(0) / 21_845;
}

/** Lets the editor allow and the inbox deny each request within 3 ms of each other. */
async function race(count: number): Promise<void> {
  await home.serve({ ASKBOX_LIMITS_ASKS_PER_MINUTE: "100000" });
  const { desk } = await connectDesk(home);
  const editor = await openEditor(home);
  const times = offsets(count);
  const ended = new Map<string, SessionView>();
  const races: Promise<unknown>[] = [];
  const late: string[] = [];
  const watch = await desk.watch({}, (event) => {
    if (event.type !== "session") return;
    const { session } = event;
    if (session.status !== "pending") return void ended.set(titleOf(session), session);
    if (event.opened !== true) return;
    races.push(
      pause(times.next().value).then(async () => {
        const [question] = session.questions;
        const answers = [{ questionId: question?.id ?? "", values: ["deny"] }];
        await desk.answer(session.id, { answers }).catch(({ code }) => late.push(code));
      }),
      pause(times.next().value).then(() => {
        const request = editor.received.findLast(({ method }) => method === "session/request_permission");
        // Some editors answer and also say that they were told to close their prompt.
        editor.send({ jsonrpc: "2.0", ...picked(request.id, "once") });
        editor.send({ id: request.id, error: { code: -32_800, message: "Request cancelled" } });
      }),
    );
  });
  editor.send({ id: 7, method: "session/prompt", params: { sessionId: "ses_1", prompt: [{ type: "text", text: `many ${count}` }] } });
  await until("the turn is over", () => editor.received.some(({ id, result }) => id === 7 && result !== undefined), 60_000 + 200 * count);
  await Promise.all(races);
  await until("every question has ended", () => ended.size === count);
  watch.close();
  const got = editor.agentGot().filter(({ id, method }) => method === undefined && id !== undefined);
  expect(got.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, id) => id));
  // The agent was told what stands in the inbox, each time.
  const told = got.map(({ result }) => result.outcome.optionId);
  const stands = got.map((_, at) => (ended.get(`execute: echo ${at}`)?.status === "answered" ? "no" : "once"));
  expect(told).toEqual(stands);
  // Both sides have won some.
  expect(new Set(told)).toEqual(new Set(["no", "once"]));
  expect(new Set(late)).toEqual(new Set(["SESSION_CLOSED"]));
}

const titleOf = ({ title }: SessionView) => title ?? "";

describe("editor and inbox at the same time", () => {
  test("give the agent exactly one answer, the one that stands in the inbox, in 200 races", () => race(200));

  test("and in 3,000", { tags: "nightly", timeout: 900_000 }, () => race(3_000));
});

describe("an editor that stops reading", () => {
  test("stops the agent, instead of filling this process' memory, and gets every byte once it reads again", async () => {
    const editor = await openEditor(home);
    const { pid = 0, stdout } = editor.running.child;
    stdout.pause();
    editor.send({ id: 7, method: "session/prompt", params: { sessionId: "ses_1", prompt: [{ type: "text", text: "flood 200000" }] } });
    const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
    let [before, peak] = [0, 0];
    // It reads as much as fits, and then no more.
    await until("its memory stays the same", async () => {
      before = memory();
      await pause(500);
      peak = Math.max(peak, before, memory());
      return Math.abs(memory() - before) < 1 && before > 0;
    });
    expect(peak).toBeLessThan(100);
    stdout.resume();
    await until("it has everything", () => editor.received.some(({ id, result }) => id === 7 && result !== undefined), 120_000);
    expect(editor.received.filter(({ method }) => method === "session/update")).toHaveLength(200_000);
  });
});
