/** @module-tag redis */

import { randomUUID } from "node:crypto";
import { parseAsk } from "@askbox/core";
import { anAsker, seededIds } from "@askbox/core/testing";
import { readDeskFile, readHubFile } from "@askbox/home";
import { type CutProxy, cutProxy, startRedis } from "@askbox/store-redis/testing";
import { expect, onTestFinished, test } from "vitest";
import { connect, serveHere, type TestHome, temporaryHome, until } from "./support.ts";

interface Member {
  home: TestHome;
  proxy: CutProxy;
  /** Closes it and starts another one in its home. */
  restart(): Promise<void>;
  /** Its series, by what stands before the value. */
  read(): Promise<Map<string, number>>;
}

async function request({ folders }: TestHome, path: string, token: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(new URL(path, readHubFile(folders)?.url), { ...init, headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** A token as Prometheus has it, which the hub keeps in Redis. */
async function metricsToken(home: TestHome): Promise<string> {
  const body = JSON.stringify({ name: randomUUID(), scope: "metrics" });
  const made = await request(home, "/api/tokens", readDeskFile(home.folders)?.deskToken ?? "", { method: "POST", body });
  return (await made.json()).token;
}

/** Hubs over one Redis, each with its own connection to it. */
async function hubs(count: number): Promise<Member[]> {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const members: Member[] = [];
  for (let index = 0; index < count; index += 1) {
    const home = temporaryHome();
    const proxy = await cutProxy(redis.port);
    onTestFinished(() => proxy.close());
    const store = `redis://127.0.0.1:${proxy.port}`;
    let hub = await serveHere(home, { store });
    let token: string | undefined;
    members.push({
      home,
      proxy,
      async restart() {
        await hub.close("It is restarted.");
        hub = await serveHere(home, { store });
      },
      async read() {
        token ??= await metricsToken(home);
        const text = await (await request(home, "/metrics", token)).text();
        const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
        return new Map(
          lines.map((line): [string, number] => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
        );
      },
    });
  }
  return members;
}

const answered = 'mcp_question_latency_ms_count{outcome="answered"}';
const each = async (members: readonly Member[], series: string) =>
  (await Promise.all(members.map(({ read }) => read()))).map((read) => read.get(series));

const ids = seededIds();
async function ask({ home }: Member): Promise<string> {
  const { asker } = await connect(home);
  const request = parseAsk({ questions: [{ id: "q", question: "What now?" }] }, { ids });
  return (await asker.ask(request, { asker: anAsker(), key: ids.session(), maxWait: 0 })).session.id;
}
const desks = async ({ home }: Member) => (await connect(home, { role: "desk" })).desk;
const words = { answers: [{ questionId: "q", values: ["go on"] }] };

test("an outcome counts at one of two hubs over one Redis, also if one hears of it late, and a hub that starts again begins at 0", async () => {
  const members = await hubs(2);
  const [a, b] = members as [Member, Member];
  const desk = await desks(b);
  const first = await ask(a);
  await until(async () => (await each(members, "askbox_pending_sessions")).every((pending) => pending === 1));
  await desk.answer(first, words);
  await until(async () => (await each(members, "askbox_pending_sessions")).every((pending) => pending === 0));
  expect(await each(members, answered)).toEqual([0, 1]);

  // What the first missed is replayed to it when it is back.
  const second = await ask(a);
  a.proxy.cut();
  await desk.answer(second, words);
  expect(await each(members, "askbox_pending_sessions")).toEqual([1, 0]);
  a.proxy.fix();
  await until(async () => (await a.read()).get("askbox_pending_sessions") === 0);
  expect(await each(members, answered)).toEqual([0, 2]);

  await b.restart();
  expect(await each(members, answered)).toEqual([0, 0]);
});

test("a hub shows its eight connections to Redis, whether it is ready, and what was lost and is back", async () => {
  const [hub] = (await hubs(1)) as [Member];
  await ask(hub);
  const connections = async () => [...(await hub.read())].filter(([series]) => series.startsWith("askbox_redis_connected{"));
  expect((await connections()).map(([, isUp]) => isUp)).toEqual(Array.from({ length: 8 }, () => 1));
  const before = await hub.read();
  expect(before.get("askbox_ready")).toBe(1);
  expect(before.get('askbox_redis_round_trip_ms_count{part="sessions",connection="writing"}')).toBeGreaterThan(0);
  expect([...before.keys()].filter((series) => series.startsWith("askbox_redis_round_trip") && series.includes("changes"))).toEqual([]);
  hub.proxy.cut();
  await until(async () => (await connections()).every(([, isUp]) => isUp === 0));
  expect((await hub.read()).get("askbox_ready")).toBe(0);
  hub.proxy.fix();
  await until(async () => (await connections()).every(([, isUp]) => isUp === 1));
  const after = [...(await hub.read())].filter(([series]) => series.startsWith("askbox_redis_reconnects_total{"));
  expect(after).toHaveLength(8);
  for (const [, count] of after) expect(count).toBeGreaterThanOrEqual(1);
});
