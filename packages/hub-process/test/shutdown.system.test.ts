import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect as connectSocket } from "node:net";
import { parseAsk } from "@askbox/core";
import { anAsker, resumed, seededIds } from "@askbox/core/testing";
import { readDeskFile, readHubFile } from "@askbox/home";
import { describe, expect, it, onTestFinished } from "vitest";
import { modern, question } from "../../../tests/mcp/http/hub.ts";
import { sseStream } from "../../../tests/mcp/http/sse-stream.ts";
import { otherClock } from "../../../tests/support/other-clock.ts";
import { hubStatus } from "../src/index.ts";
import { agent, connect, startReady, temporaryHome, until } from "./support.ts";

const ask = () => parseAsk({ questions: [{ id: "q", question: "What now?" }] }, { ids: seededIds() });
const yes = { answers: [{ questionId: "q", values: ["go on"] }] };

describe("a hub that receives SIGTERM", () => {
  it("exits within 5 s despite open connections, and keeps every session", async () => {
    const home = temporaryHome();
    // What the hub waits for before it cuts connections has its own test; here it is over after 0.4 s.
    Object.assign(home.env, otherClock({ factor: 10 }));
    const hub = await startReady(home, { store: "sqlite" });
    const { url = "", askerToken = "" } = readHubFile(home.folders) ?? {};
    const { deskToken = "" } = readDeskFile(home.folders) ?? {};
    const { hostname, port, host } = new URL(url);
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

    // An asker and a surface on the wire.
    const wire = await connect(home, { timeout: 0 });
    const { session } = await wire.asker.ask(ask(), { asker: anAsker(), maxWait: 0 });
    resumed(wire.asker, session.id).catch(() => {});
    const surface = await connect(home, { role: "desk", timeout: 0 });
    await surface.desk.watch({}, () => {});
    const told = new Promise((resolve) => surface.onState(resolve));
    // A blocked MCP call, an open stream of the oldest revision, and long polls of both kinds.
    const { message, headers } = modern(1, "tools/call", { name: "ask_user", arguments: question });
    const accept = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const blocked = sseStream(
      await fetch(new URL("/mcp", url), {
        method: "POST",
        headers: { ...bearer(askerToken), ...accept, ...headers },
        body: JSON.stringify(message),
      }),
    );
    const stream = sseStream(await fetch(new URL("/sse", url), { headers: bearer(askerToken) }));
    await stream.event();
    const { client, agentId = "", project = "" } = anAsker();
    const stated = new URLSearchParams({ wait: "600", agentId, project });
    const polls = [
      fetch(new URL(`/api/sessions/${session.id}?${stated}`, url), { headers: { ...bearer(askerToken), "user-agent": client.name } }),
      fetch(new URL(`/api/sessions/${session.id}?wait=600`, url), { headers: bearer(deskToken) }),
    ];
    // Clients that send slowly or nothing at all, or do not read.
    const slow = Array.from({ length: 50 }, (_, index) => {
      const socket = connectSocket(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => {});
      const post = `POST /api/sessions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${askerToken}\r\nContent-Length: 100\r\n\r\n{`;
      socket.write(index % 3 === 0 ? post : index % 3 === 1 ? "GET / HTTP/1.1\r\n" : "");
      if (index % 5 === 0) socket.pause();
      return socket;
    });
    await Promise.all(slow.map((socket) => socket.connecting && once(socket, "connect")));
    await until(async () => (await hubStatus({ agent, env: home.env })).waiting >= 3);

    const began = performance.now();
    hub.child.kill("SIGTERM");
    for (const poll of polls) {
      const answer = await poll;
      expect([answer.status, answer.headers.get("retry-after"), (await answer.json()).code]).toEqual([503, "5", "HUB_CLOSING"]);
    }
    expect(["lost", "closed"]).toContain(await told);
    expect(await hub.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(5_500);
    await blocked.message().catch(() => {});

    await startReady(home, { store: "sqlite" });
    const { desk } = await connect(home, { role: "desk" });
    const kept = (await desk.list({ statuses: ["pending"] })).items;
    expect(kept).toHaveLength(2);
    expect(kept.map(({ id }) => id)).toContain(session.id);
    await desk.answer(session.id, yes);
  });

  it("rejects asks on connections that are still open: 503 with Retry-After", async () => {
    const home = temporaryHome();
    const hub = await startReady(home);
    const { url = "", askerToken = "" } = readHubFile(home.folders) ?? {};
    const text = JSON.stringify({ questions: [{ question: "Too late?" }] });
    const keptAlive = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => keptAlive.destroy());
    const answer = new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
      const headers = { authorization: `Bearer ${askerToken}`, "content-type": "application/json", "content-length": text.length };
      const sent = request(new URL("/api/sessions", url), { method: "POST", agent: keptAlive, headers }, (response) => {
        response.resume();
        resolve([response.statusCode, response.headers["retry-after"]]);
      });
      sent.on("error", reject);
      sent.write(text.slice(0, 5));
      // The rest is sent once the hub is closing.
      void (async () => {
        await until(async () => (await hubStatus({ agent, env: home.env })) !== undefined);
        hub.child.kill("SIGTERM");
        await until(() => home.log().some(({ message }) => message === "The hub stops"));
        await until(() => readHubFile(home.folders) === undefined);
        sent.end(text.slice(5));
      })().catch(reject);
    });
    expect(await answer).toEqual([503, "5"]);
    expect(await hub.ended).toEqual({ code: 0, signal: null });
  });
});
