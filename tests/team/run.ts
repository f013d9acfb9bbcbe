import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { isAskboxError, parseAsk, type SessionView, standardPlatform } from "@askbox/core";
import { freePort, startRedis } from "@askbox/store-redis/testing";
import { createWireClient, openWebSocket, type WireClient } from "@askbox/wire";
import { WebSocket } from "ws";
import { type TeamHub, teamHub } from "./hubs.ts";

/**
 * A team at work: agents with a token each that ask, people with a token each who answer, two hubs over one Redis. Meanwhile one hub is killed, and
 * later both are restarted one after the other. Fails if an answer is lost, wrong or given twice. Prints the table of docs/deploy.md.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    agents: { type: "string", default: "200" },
    people: { type: "string", default: "30" },
    /** Seconds from an agent's result to its next question. */
    every: { type: "string", default: "5" },
    heap: { type: "string", default: "0" },
  },
});
const [minutes, agents, people, every, heap] = [values.minutes, values.agents, values.people, values.every, values.heap].map(Number) as [
  number,
  number,
  number,
  number,
  number,
];
const { clock, ids } = standardPlatform(globalThis);
const folder = mkdtempSync(join(tmpdir(), "askbox-team-"));
const redis = await startRedis({ settings: { appendfsync: "everysec" } });
const hubs: TeamHub[] = [];
for (const name of ["one", "two"]) hubs.push(teamHub({ folder: join(folder, name), port: await freePort(), store: redis.url, heap }));
const clients: WireClient[] = [];
let isOver = false;
const asked = { answered: 0, wrong: [] as string[], failed: [] as string[] };
/** Who answered what, by session; milliseconds from an answer's start to its result. */
const answered = new Map<string, { value: string; at: number }>();
const latencies: number[] = [];
const refused = { closed: 0, others: [] as string[] };

/** Connects to the hubs in turn, as through a load balancer. */
function connect(role: "asker" | "desk", token: string, number: number): WireClient {
  let attempt = number;
  const client = createWireClient({
    async connect() {
      const { url = "" } = hubs[attempt % hubs.length] ?? {};
      attempt += 1;
      return openWebSocket(new WebSocket(new URL("/ws", url.replace("http", "ws")), { perMessageDeflate: false, handshakeTimeout: 2_000 }));
    },
    hello: { role, token, agent: { name: "team", version: "0.0.0" }, ...(role === "desk" && { surface: "cli" as const }) },
    clock,
    ids,
  });
  clients.push(client);
  return client;
}

async function agentAtWork(number: number, token: string): Promise<void> {
  const { asker } = connect("asker", token, number);
  const info = { client: { name: "team", version: "1" }, agentId: `agent-${number}`, project: `/srv/project-${number % 20}` };
  await pause(Math.random() * every * 1_000);
  for (let round = 1; !isOver; round += 1) {
    const question = `Agent ${number}, step ${round}: go on? ${"because ".repeat(60)}`;
    try {
      const request = parseAsk({ questions: [{ id: "q", question }], timeout: 600_000 }, { ids });
      const { record, ack } = await asker.ask(request, { asker: info, idempotencyKey: `${number}-${round}` }).then(({ session, ack }) => ({
        record: session,
        ack,
      }));
      const told = answered.get(record.id);
      const { outcome } = record.context;
      const value = outcome?.kind === "answered" ? outcome.answers[0]?.values[0] : outcome?.kind;
      if (value === `for agent ${number}, step ${round}` && told?.value === value) {
        asked.answered += 1;
        latencies.push(performance.now() - told.at);
      } else asked.wrong.push(`agent ${number}, step ${round}: ${value}`);
      await ack();
    } catch (error) {
      asked.failed.push(`agent ${number}, step ${round}: ${error instanceof Error ? error.message : String(error)}`);
    }
    await pause(every * 1_000 * (0.5 + Math.random()));
  }
}

async function personAtWork(number: number, token: string): Promise<void> {
  const { desk } = connect("desk", token, number);
  const taken = new Set<string>();
  const answer = async ({ id, questions }: SessionView) => {
    taken.add(id);
    const [, agent, step] = /^Agent (\d+), step (\d+)/.exec(questions[0]?.question ?? "") ?? [];
    await pause(500 + Math.random() * 2_000);
    const value = `for agent ${agent}, step ${step}`;
    if (!answered.has(id)) answered.set(id, { value, at: performance.now() });
    await desk.answer(id, { answers: [{ questionId: "q", values: [value] }] }).catch((error: unknown) => {
      if (isAskboxError(error, "SESSION_CLOSED")) refused.closed += 1;
      else refused.others.push(String(error));
    });
  };
  const look = (session: SessionView) => {
    // Everybody sees everything; one in ten questions is answered by two at once.
    const share = Number.parseInt(session.id.slice(-6).replace(/\D/g, "7"), 10);
    const isMine = share % people === number || (share % 10 === 0 && (share + 1) % people === number);
    if (session.status === "pending" && isMine && !taken.has(session.id)) void answer(session);
  };
  await desk.watch({}, (event) => {
    if (event.type === "snapshot") for (const session of event.sessions) look(session);
    if (event.type === "session") look(event.session);
  });
}

const percentile = (share: number) => [...latencies].sort((one, other) => one - other)[Math.floor(latencies.length * share)] ?? Number.NaN;
const [first, second] = hubs as [TeamHub, TeamHub];
try {
  await first.start();
  await second.start();
  const make = async (name: string, scope: string): Promise<string> => {
    const headers = { authorization: `Bearer ${first.deskToken()}`, "content-type": "application/json" };
    const response = await fetch(`${first.url}/api/tokens`, { method: "POST", headers, body: JSON.stringify({ name, scope }) });
    if (response.status !== 201) throw new Error(await response.text());
    return ((await response.json()) as { token: string }).token;
  };
  const tokens: Record<"asker" | "desk", string[]> = { asker: [], desk: [] };
  for (let number = 0; number < agents; number += 1) tokens.asker.push(await make(`agent-${number}`, "asker"));
  for (let number = 0; number < people; number += 1) tokens.desk.push(await make(`person-${number}`, "desk"));
  const cpuBefore = hubs.map((hub) => hub.used().cpu);
  const began = performance.now();
  await Promise.all(tokens.desk.map((token, number) => personAtWork(number, token)));
  const working = tokens.asker.map((token, number) => agentAtWork(number, token));
  const part = (minutes * 60_000) / 4;
  await pause(part);
  await first.stop("SIGKILL");
  await first.start();
  await pause(part);
  for (const hub of hubs) {
    await hub.stop("SIGTERM");
    await hub.start();
    await pause(2_000);
  }
  await pause(2 * part - 4_000);
  isOver = true;
  await Promise.all(working);
  const seconds = (performance.now() - began) / 1_000;
  const rows: [string, string][] = [
    ["agents, people, minutes", `${agents}, ${people}, ${(seconds / 60).toFixed(1)}`],
    ["questions answered", `${asked.answered} (${(asked.answered / seconds).toFixed(1)} a second)`],
    ["answers lost or wrong", String(asked.wrong.length)],
    ["asks that failed", String(asked.failed.length)],
    ["answers refused because another person was first", String(refused.closed)],
    ["answer to result, p50 / p99", `${percentile(0.5).toFixed(0)} / ${percentile(0.99).toFixed(0)} ms`],
    [
      "CPU of each hub",
      hubs.map((hub, index) => `${(((hub.used().cpu - (cpuBefore[index] ?? 0)) / seconds) * 100).toFixed(0)} %`).join(", "),
    ],
    [
      `most memory of each hub${heap === 0 ? "" : `, heap limit ${heap} MB`}`,
      hubs.map((hub) => `${hub.used().memory.toFixed(0)} MB`).join(", "),
    ],
    ["warnings in the hubs' logs", String(hubs.flatMap((hub) => hub.warnings()).length)],
  ];
  console.log(`| | |\n|---|---:|\n${rows.map(([name, text]) => `| ${name} | ${text} |`).join("\n")}`);
  for (const sentence of [...asked.wrong, ...asked.failed, ...refused.others].slice(0, 20)) console.error(sentence);
  for (const line of new Set(hubs.flatMap((hub) => hub.warnings()).map((line) => JSON.parse(line).message ?? line)))
    console.error(`log: ${line}`);
  if (asked.wrong.length + asked.failed.length > 0 || asked.answered === 0) process.exitCode = 1;
} finally {
  isOver = true;
  for (const client of clients) client.close();
  for (const hub of hubs) await hub.stop("SIGTERM");
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}
