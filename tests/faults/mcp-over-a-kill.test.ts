import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { type FaultHome, faultHome } from "./support/home.ts";
import { allSessions, pendingSession } from "./support/questions.ts";

/** The hub tells clients to come back after 5 s; these hear 0.5 s. */
const hasty: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null || !response.headers.get("content-type")?.includes("text/event-stream")) return response;
  const sooner = new TransformStream<string, string>({
    transform: (part, stream) => stream.enqueue(part.replace(/^retry: \d+$/m, "retry: 500")),
  });
  const body = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(sooner).pipeThrough(new TextEncoderStream());
  return new Response(body, response);
};

/** Enough retries for a busy machine to start the next hub; reconnecting is done by the SDKs. */
const reconnectionOptions = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 100,
};

/** A client of revision 2025-11-25 with a permanent URL. */
async function connect(
  kind: "v1" | "v2",
  home: FaultHome,
): Promise<{ call(question: string): Promise<unknown>; sessionId(): string | undefined }> {
  const { url = "", askerToken = "" } = home.hub() ?? {};
  const address = new URL("/mcp?max-wait=0", url);
  const options = { requestInit: { headers: { authorization: `Bearer ${askerToken}` } }, reconnectionOptions, fetch: hasty };
  const asked = (question: string) => ({ name: "ask_user", arguments: { questions: [{ id: "q", question }] } });
  if (kind === "v1") {
    const transport = new OldTransport(address, options);
    const client = new OldClient({ name: "v1", version: "1" });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    onTestFinished(() => client.close());
    return { call: (question) => client.callTool(asked(question), undefined, { timeout: 100_000 }), sessionId: () => transport.sessionId };
  }
  const transport = new StreamableHTTPClientTransport(address, options);
  const client = new Client({ name: "v2", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { call: (question) => client.callTool(asked(question), { timeout: 100_000 }), sessionId: () => transport.sessionId };
}

// promise: mcp-sessions-outlive-hub
test.each(["v1", "v2"] as const)(
  "an MCP client over HTTP (SDK %s) whose hub is killed while it waits gets its answer from the next hub",
  async (kind) => {
    const home = faultHome();
    const first = await home.startHub();
    const agent = await connect(kind, home);
    const began = agent.sessionId();
    const { desk: before } = await home.connect({ role: "desk" });
    const waiting = agent.call("Which colour?");
    waiting.catch(() => {});
    const { id } = await pendingSession(before, "Which colour?");
    await first.kill();
    await home.startHub();

    const { desk } = await home.connect({ role: "desk" });
    await until("its call goes on", async () => (await desk.get(id)).presence.asker === "attached");
    await desk.answer(id, { answers: [{ questionId: "q", values: ["blue"] }] });
    expect(await waiting).toMatchObject({ structuredContent: { answered: true, sessionId: id } });

    const next = agent.call("Which shape?");
    const { id: second } = await pendingSession(desk, "Which shape?");
    await desk.answer(second, { answers: [{ questionId: "q", values: ["round"] }] });
    expect(await next).toMatchObject({ structuredContent: { answered: true, sessionId: second } });
    expect(agent.sessionId()).toBe(began);
    await until("both are delivered", async () => (await allSessions(desk)).every(({ delivery }) => delivery.deliveredAt !== null));
    expect(await allSessions(desk)).toHaveLength(2);
  },
);
