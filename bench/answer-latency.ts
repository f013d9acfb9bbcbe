import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Desk } from "@askbox/core";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { WebSocket } from "ws";
import { againstFloor, atMost, type BenchRow, interleave, median, percentile } from "./harness.ts";
import { type BenchHub, startHub } from "./parts/start-hub.ts";

const rounds = 500;
const pendingSessions = 200;
/** Milliseconds of silence before each measurement, of the floor as of askbox: a person answers into silence. */
const idle = 20;
const command = resolve(import.meta.dirname, "../apps/askbox/bin/askbox.js");

/** From the moment the hub has an answer on disk to the moment the agent's client has the tool's result. */
export async function bench(): Promise<BenchRow[]> {
  const hub = await startHub();
  const echo = await startEcho();
  const agent = await startAgent(hub);
  try {
    await openSessions(hub);
    const { desk } = await hub.connect("desk");
    const cycles = await agentCycles(agent, desk);
    const measured = await interleave(rounds, { floor: echo.roundTrip, askbox: cycles.next });
    // The hub is asked for its moments afterwards, so that telling them delays none.
    const accepted = await hub.ask("accepted");
    const latencies = cycles.finished.slice(-measured.askbox.length).map(({ id, at }) => Number(at - BigInt(accepted[id] ?? 0)) / 1e6);
    const name = `answer accepted to tool result, ${pendingSessions} pending`;
    return [
      againstFloor(
        { id: "answer-p50", name: `${name}, p50`, floor: median(measured.floor), askbox: median(latencies), unit: "ms" },
        { atMost: 10 },
      ),
      atMost(
        // Of the floor's few slow round trips most are the machine's; their ratio says little.
        {
          id: "answer-p99",
          name: `${name}, p99`,
          floor: percentile(measured.floor, 0.99),
          askbox: percentile(latencies, 0.99),
          unit: "ms",
          tolerance: null,
        },
        25,
      ),
    ];
  } finally {
    await agent.close();
    await echo.close();
    await hub.close();
  }
}

async function startEcho(): Promise<{ roundTrip(): Promise<number>; close(): Promise<void> }> {
  const child = fork(join(import.meta.dirname, "parts/echo-process.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [port] = (await once(child, "message")) as [number];
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await once(socket, "open");
  const message = JSON.stringify({ text: "x".repeat(600) });
  return {
    async roundTrip() {
      await pause(idle);
      const began = process.hrtime.bigint();
      socket.send(message);
      await once(socket, "message");
      return Number(process.hrtime.bigint() - began) / 1e6;
    },
    async close() {
      socket.close();
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}

/** The published command as an agent starts it, with the SDK's own client. */
async function startAgent(hub: BenchHub): Promise<Client> {
  const tokenFile = join(hub.folder, "token");
  writeFileSync(tokenFile, hub.askerToken, { mode: 0o600 });
  const agent = new Client({ name: "bench", version: "0.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, "mcp", "--max-wait", "0", "--hub", hub.url, "--token-file", tokenFile],
    env: { ASKBOX_HOME: join(hub.folder, "home"), PATH: process.env["PATH"] ?? "" },
    stderr: "ignore",
  });
  await agent.connect(transport);
  return agent;
}

async function openSessions(hub: BenchHub): Promise<void> {
  const { asker } = await hub.connect("asker");
  await Promise.all(
    Array.from({ length: pendingSessions }, async (_, index) => {
      const opened = await asker.ask(
        { questions: [{ id: "q", type: "text", question: `What about part ${index}?`, required: true }], timeout: 1_800_000 },
        { asker: { client: { name: "other", version: "1" }, agentId: `agent-${index}` }, maxWait: 0 },
      );
      // Each has a call that waits for it, until the hub ends.
      asker.resume(opened.session.id).catch(() => {});
    }),
  );
}

interface Cycles {
  /** One question, one answer; the time it takes in all, in ms. */
  next(): Promise<number>;
  finished: { id: string; at: bigint }[];
}

async function agentCycles(agent: Client, desk: Desk): Promise<Cycles> {
  let arrived = Promise.withResolvers<string>();
  await desk.watch({}, (event) => {
    if (event.type === "session" && event.session.status === "pending" && event.session.asker.client.name === "bench")
      arrived.resolve(event.session.id);
  });
  const finished: Cycles["finished"] = [];
  return {
    finished,
    async next() {
      arrived = Promise.withResolvers<string>();
      const result = agent.callTool({
        name: "ask_user",
        arguments: { questions: [{ id: "q", type: "confirm", question: `Go on with step ${finished.length}?` }] },
      });
      const id = await arrived.promise;
      await pause(idle);
      const began = process.hrtime.bigint();
      const answered = desk.answer(id, { answers: [{ questionId: "q", values: ["yes"] }] });
      await result;
      const at = process.hrtime.bigint();
      finished.push({ id, at });
      await answered;
      return Number(at - began) / 1e6;
    },
  };
}
