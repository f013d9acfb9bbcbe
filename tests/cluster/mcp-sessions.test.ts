import { startRedis } from "@askbox/store-redis/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished, test } from "vitest";
import { allSessions, pendingSession } from "../faults/support/questions.ts";
import { timeout } from "../faults/support/rounds.ts";
import { until } from "../faults/support/until.ts";
import { type Cluster, type Member, startCluster } from "./support/cluster.ts";

interface Agent {
  /** Asks a yes-or-no question and resolves with the result. */
  ask(question: string): Promise<unknown>;
  /** Results that have reached the client, by the question they answer. */
  results(): number;
  sessionId(): string | undefined;
}

/** A client of revision 2025-11-25 that resumes its streams, as the SDK does automatically. */
async function connect(kind: "v1" | "v2", { balancer, members }: Cluster): Promise<Agent> {
  const token = members[0]?.home.hub()?.askerToken ?? "";
  const url = new URL(`${balancer.url}/mcp?max-wait=0&agent=${kind}`);
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  let results = 0;
  const count = (message: object) => {
    if ("result" in message && Object(message.result).content !== undefined) results += 1;
  };
  const asked = (question: string) => ({ name: "ask_user", arguments: { questions: [{ id: "a", question }] } });
  const common = { results: () => results };
  if (kind === "v1") {
    const transport = new OldTransport(url, options);
    const client = new OldClient({ name: "v1", version: "1" });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const take = transport.onmessage;
    transport.onmessage = (message, ...rest) => {
      count(message);
      take?.(message, ...rest);
    };
    onTestFinished(() => client.close());
    return {
      ...common,
      ask: (question) => client.callTool(asked(question), undefined, { timeout: 100_000 }),
      sessionId: () => transport.sessionId,
    };
  }
  const transport = new StreamableHTTPClientTransport(url, options);
  const client = new Client({ name: "v2", version: "1" });
  await client.connect(transport);
  const take = transport.onmessage;
  transport.onmessage = (message, ...rest) => {
    count(message);
    take?.(message, ...rest);
  };
  onTestFinished(() => client.close());
  return { ...common, ask: (question) => client.callTool(asked(question), { timeout: 100_000 }), sessionId: () => transport.sessionId };
}

// promise: killed-hubs-lose-no-answer
test.each(["v1", "v2"] as const)(
  "an MCP client of an older revision (SDK %s) whose hub is killed while it waits continues at another, and gets one result",
  {
    timeout,
  },
  async (kind) => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const cluster = await startCluster(() => redis.url, 2);
    const [a, b] = cluster.members as [Member, Member];
    const { balancer } = cluster;
    balancer.targets = [a.port];
    const agent = await connect(kind, cluster);
    const began = agent.sessionId();

    // Answered after it was taken over.
    const first = agent.ask("First?");
    first.catch(() => {});
    const { desk } = await b.home.connect({ role: "desk" });
    const { id } = await pendingSession(desk, "First?");
    await until("its asker is there", async () => (await desk.get(id)).presence.asker === "attached");
    balancer.targets = [b.port];
    await a.kill();
    await until("the killed hub is forgotten", async () => (await desk.get(id)).presence.asker !== "attached", 20_000);
    await until("its call is taken up", async () => (await desk.get(id)).presence.asker === "attached", 20_000);
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
  },
);
