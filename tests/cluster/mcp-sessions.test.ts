import { startRedis } from "@askbox/store-redis/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { allSessions, pendingSession } from "../faults/support/questions.ts";
import { timeout } from "../faults/support/rounds.ts";
import { until } from "../support/until.ts";
import { type Cluster, type Member, startCluster } from "./support/cluster.ts";

interface Agent {
  /** Asks a yes-or-no question and resolves with the result. */
  ask(question: string): Promise<unknown>;
  /** Results that have reached the client, by the question they answer. */
  results(): number;
  sessionId(): string | undefined;
}

/** A client of revision 2025-11-25 that resumes its streams, as the SDK does automatically. */
async function connect({ balancer, members }: Cluster): Promise<Agent> {
  const token = members[0]?.home.hub()?.askerToken ?? "";
  const url = new URL(`${balancer.url}/mcp?max-wait=0`);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } });
  const client = new Client({ name: "agent", version: "1" });
  await client.connect(transport);
  let results = 0;
  const take = transport.onmessage;
  transport.onmessage = (message, ...rest) => {
    if ("result" in message && Object(message.result).content !== undefined) results += 1;
    take?.(message, ...rest);
  };
  onTestFinished(() => client.close());
  const ask = (question: string) =>
    client.callTool({ name: "ask_user", arguments: { questions: [{ id: "a", question }] } }, { timeout: 100_000 });
  return { ask, results: () => results, sessionId: () => transport.sessionId };
}

// promise: killed-hubs-lose-no-answer
test("an MCP client of an older revision whose hub is killed while it waits continues at another, and gets one result", {
  tags: "nightly",
  timeout,
}, async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const cluster = await startCluster(() => redis.url, 2);
  const [a, b] = cluster.members as [Member, Member];
  const { balancer } = cluster;
  balancer.targets = [a.port];
  const agent = await connect(cluster);
  const began = agent.sessionId();

  // Answered after it was taken over.
  const first = agent.ask("First?");
  first.catch(() => {});
  const { desk } = await b.home.connect({ role: "desk" });
  const { id } = await pendingSession(desk, "First?");
  await until("its asker is there", async () => (await desk.get(id)).presence.asker === "attached");
  balancer.targets = [b.port];
  await a.kill();
  // A hub is forgotten when it has said nothing for 10 s.
  await until("the killed hub is forgotten", async () => (await desk.get(id)).presence.asker !== "attached", 30_000);
  await until("its call is taken up", async () => (await desk.get(id)).presence.asker === "attached");
  await desk.answer(id, { answers: [{ questionId: "a", values: ["yes"] }] });
  expect(await first).toMatchObject({ structuredContent: { answered: true, sessionId: id } });

  // Answered while no hub had it.
  await a.start();
  const second = agent.ask("Second?");
  second.catch(() => {});
  const { desk: other } = await a.home.connect({ role: "desk" });
  const { id: next } = await pendingSession(other, "Second?");
  await until("its asker is there", async () => (await other.get(next)).presence.asker === "attached");
  balancer.targets = [a.port];
  await b.kill();
  await other.answer(next, { answers: [{ questionId: "a", values: ["no"] }] });
  expect(await second).toMatchObject({ structuredContent: { answered: true, sessionId: next } });

  expect(agent.sessionId()).toBe(began);
  await until("both are delivered", async () => (await allSessions(other)).every(({ delivery }) => delivery.deliveredAt !== null));
  expect(await allSessions(other)).toHaveLength(2);
  expect(agent.results()).toBe(2);
});
