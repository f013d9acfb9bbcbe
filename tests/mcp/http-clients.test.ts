import { createBroker, memoryStore } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { createHub, createToken, hashToken, tokenVerifier } from "@askbox/hub";
import { mountMcp } from "@askbox/mcp-http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../requirements/requirement.ts";
import { pendingSessions } from "./harness/inbox.ts";

const question = { questions: [{ id: "a", question: "Shall we?" }], timeout: 1_800_000 };
const yes = { answers: [{ questionId: "a", values: ["yes"] }] };
const kinds = ["SDK v1", "SDK v2, 2025 era", "SDK v2, 2026 era"] as const;

async function startHub() {
  const platform = testPlatform();
  const broker = await createBroker({ store: memoryStore(), ...platform });
  const token = createToken();
  const hub = createHub({
    broker,
    platform,
    tokens: tokenVerifier([{ hash: hashToken(token), grant: { owner: "one", scopes: ["asker"] } }]),
    version: "0.0.0",
    instance: "test",
    control: { status: async () => ({}), stop: async () => {} },
    mounts: [mountMcp({ version: "0.0.0", defaultTimeout: 300_000 })],
  });
  const url = new URL("/mcp?max-wait=0", await hub.listen());
  onTestFinished(async () => {
    await hub.close();
    await broker.close();
  });
  const desk = broker.desk({ surface: "cli" });
  return { url, token, desk, clock: platform.clock, nextSession: await pendingSessions(desk) };
}

/** A client's way of asking. The signal cuts the streams of its calls, as a lost connection does. */
async function connect(kind: (typeof kinds)[number], url: URL, token: string, cut?: AbortSignal) {
  const cutFetch = (input: string | URL | Request, init: RequestInit = {}) => {
    const isCall = String(init.body ?? "").includes("tools/call");
    const signals = [init.signal, isCall ? cut : undefined].filter((signal) => signal instanceof AbortSignal);
    return fetch(input, { ...init, signal: AbortSignal.any(signals) });
  };
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } }, fetch: cutFetch };
  const info = { name: "some-client", version: "1" };
  if (kind === "SDK v1") {
    const client = new OldClient(info);
    await client.connect(new OldTransport(url, options) as Parameters<OldClient["connect"]>[0]);
    onTestFinished(() => client.close());
    return (request: { timeout: number; onprogress(): void }) =>
      client.callTool({ name: "ask_user", arguments: question }, undefined, { ...request, resetTimeoutOnProgress: true });
  }
  const client = new Client(info, kind === "SDK v2, 2026 era" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {});
  await client.connect(new StreamableHTTPClientTransport(url, options));
  onTestFinished(() => client.close());
  return (request: { timeout: number; onprogress(): void }) =>
    client.callTool({ name: "ask_user", arguments: question }, { ...request, resetTimeoutOnProgress: true });
}

describe.each(kinds)("over HTTP, with a client on %s", (kind) => {
  test("a call outlasts its client's timeout by its progress, and is answered", async () => {
    const { url, token, desk, clock, nextSession } = await startHub();
    const callTool = await connect(kind, url, token);
    const heard: number[] = [];
    const timeout = 800;
    const result = callTool({ timeout, onprogress: () => heard.push(performance.now()) });
    const { id } = await nextSession();
    for (let beat = 0; beat < 5; beat += 1) {
      const before = heard.length;
      await clock.advance(10_000);
      await eventually(async () => heard.length > before || undefined, "progress arrives");
      const next = performance.now() + timeout / 3;
      await eventually(async () => performance.now() > next || undefined, "some of the client's patience is used up");
    }
    await desk.answer(id, yes);
    expect((await result).structuredContent).toMatchObject({ answered: true });
  });
});

test.each(["SDK v1", "SDK v2, 2025 era"] as const)("a client on %s whose stream is cut resumes its call by itself", async (kind) => {
  const { url, token, desk, nextSession } = await startHub();
  const cut = new AbortController();
  const callTool = await connect(kind, url, token, cut.signal);
  const begun = Promise.withResolvers<void>();
  const result = callTool({ timeout: 20_000, onprogress: begun.resolve });
  const { id } = await nextSession();
  await begun.promise;
  cut.abort();
  await desk.answer(id, yes);
  expect((await result).structuredContent).toMatchObject({ answered: true, sessionId: id });
  await eventually(async () => (await desk.get(id)).delivery.deliveredAt ?? undefined, "it is delivered");
});
