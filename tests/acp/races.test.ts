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

/** Lets the editor allow and the inbox deny each request within 3 ms of each other; in one of ten, one of the two comes after the other has won. */
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
    if (session.status !== "pending" || event.opened !== true) return;
    const at = races.length / 2;
    const hasEnded = () => until("it has ended", async () => (await desk.get(session.id)).status !== "pending");
    const inbox = async () => {
      const [question] = session.questions;
      const answers = [{ questionId: question?.id ?? "", values: ["deny"] }];
      await desk.answer(session.id, { answers }).catch(({ code }) => late.push(code));
    };
    const inEditor = async () => {
      const request = await until(
        "the editor has it",
        () => editor.received.filter(({ method }) => method === "session/request_permission")[at],
      );
      // Some editors answer and also say that they were told to close their prompt.
      editor.send({ jsonrpc: "2.0", ...picked(request.id, "once") });
      editor.send({ id: request.id, error: { code: -32_800, message: "Request cancelled" } });
    };
    races.push(
      (at % 20 === 0 ? hasEnded() : pause(times.next().value)).then(inbox),
      (at % 20 === 10 ? hasEnded() : pause(times.next().value)).then(inEditor),
    );
  });
  editor.send({ id: 7, method: "session/prompt", params: { sessionId: "ses_1", prompt: [{ type: "text", text: `many ${count}` }] } });
  await until("the turn is over", () => editor.received.some(({ id, result }) => id === 7 && result !== undefined), 60_000 + 200 * count);
  await Promise.all(races);
  await until("every question has ended", async () => (await desk.list({ statuses: ["pending"] })).items.length === 0);
  for (let cursor: string | undefined; ended.size < count; ) {
    const page = await desk.list({ limit: 100, cursor });
    for (const session of page.items) ended.set(titleOf(session), session);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  expect(ended.size).toBe(count);
  watch.close();
  const got = editor.agentGot().filter(({ id, method }) => method === undefined && id !== undefined);
  expect(got.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, id) => id));
  // The agent was told what stands in the inbox, each time.
  const told = got.map(({ result }) => result.outcome.optionId);
  const stands = got.map((_, at) => {
    const { status, outcome } = ended.get(`execute: echo ${at}`) ?? {};
    // Before the hub has it, the editor's answer is nobody else's concern.
    if (status === "cancelled") return "once";
    const [answer] = outcome?.kind === "answered" ? outcome.answers : [];
    expect(outcome?.by.surface).toBe(answer?.values[0] === "deny" ? "web" : "client");
    return answer?.values[0] === "deny" ? "no" : "once";
  });
  expect(told).toEqual(stands);
  // Both sides have won some.
  expect(new Set(told)).toEqual(new Set(["no", "once"]));
  expect(new Set(late)).toEqual(new Set(["SESSION_CLOSED"]));
}

const titleOf = ({ title }: SessionView) => title ?? "";

describe("editor and inbox at the same time", () => {
  // promise: acp-first-decision
  test("give the agent exactly one answer, the one that stands in the inbox, in 200 races", () => race(200));

  test("and in 3,000", { tags: "nightly", timeout: 900_000 }, () => race(3_000));
});

describe("a turn that is cancelled while a person allows something", () => {
  test("starts nothing: whatever comes after the cancel is no permission, in 60 races", async () => {
    await home.serve({ ASKBOX_LIMITS_ASKS_PER_MINUTE: "100000" });
    const { desk } = await connectDesk(home);
    const editor = await openEditor(home);
    const times = offsets(60);
    for (let round = 0; round < 60; round += 1) {
      const turn = editor.prompt(`run echo ${round}`);
      const { id, questions } = await until("it asks", async () => (await desk.list({ statuses: ["pending"] })).items[0]);
      const answers = [{ questionId: questions[0]?.id ?? "", values: ["allow"] }];
      const allow = pause(times.next().value).then(() => desk.answer(id, { answers }).catch(() => {}));
      await pause(times.next().value);
      editor.send({ method: "session/cancel", params: { sessionId: "ses_1" } });
      await Promise.all([allow, turn]);
      await until("the question has ended", async () => (await desk.get(id)).status !== "pending");
    }
    let isCancelled = false;
    const answered = new Set<number>();
    for (const { id, method, result } of editor.agentGot()) {
      if (method === "session/prompt") isCancelled = false;
      if (method === "session/cancel") isCancelled = true;
      if (result?.outcome === undefined) continue;
      expect(answered).not.toContain(id);
      answered.add(id);
      if (isCancelled) expect(result.outcome).toEqual({ outcome: "cancelled" });
    }
    expect(answered.size).toBe(60);
  });
});

describe("a process that is killed at any moment", () => {
  test("leaves no question that nobody waits for", async () => {
    await home.serve({ ASKBOX_LIMITS_ASKS_PER_MINUTE: "100000" });
    const { desk } = await connectDesk(home);
    const times = offsets(9);
    for (let round = 0; round < 9; round += 1) {
      const editor = await openEditor(home);
      const { child, done } = editor.running;
      editor.send({ id: 7, method: "session/prompt", params: { sessionId: "ses_1", prompt: [{ type: "text", text: "many 1" }] } });
      await pause(20 * times.next().value);
      if (round % 3 === 0) child.kill("SIGKILL");
      else if (round % 3 === 1) child.stdin.destroy();
      else editor.send({ id: 8, method: "session/prompt", params: { sessionId: "ses_1", prompt: [{ type: "text", text: "exit 1" }] } });
      await done;
      await until("nothing is pending", async () => (await desk.list({ statuses: ["pending"] })).items.length === 0);
    }
  });
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
