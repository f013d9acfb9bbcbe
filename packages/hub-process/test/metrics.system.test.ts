import { parseAsk } from "@askbox/core";
import { anAsker, resumed, seededIds } from "@askbox/core/testing";
import { homeFiles, readDeskFile, readHubFile, writePrivateFile } from "@askbox/home";
import { describe, expect, it } from "vitest";
import { hubStatus } from "../src/index.ts";
import { Counter, Gauge, Histogram } from "../src/metrics/families.ts";
import { agent, connect, occupyPort, serveHere, temporaryHome, until } from "./support.ts";

describe("metrics in Prometheus' text format", () => {
  it("have a line for each set of labels, whose text is escaped", () => {
    const counter = new Counter({ name: "asks_total", help: "Asks." });
    counter.add({ tool: "a" });
    counter.add({ tool: "a" });
    counter.add({ tool: 'quote " slash \\ line \n' });
    expect(counter.text()).toBe(
      '# HELP asks_total Asks.\n# TYPE asks_total counter\nasks_total{tool="a"} 2\nasks_total{tool="quote \\" slash \\\\ line \\n"} 1\n',
    );
    expect(new Gauge({ name: "open", help: "Open." }, () => [[{}, 3]]).text()).toBe("# HELP open Open.\n# TYPE open gauge\nopen 3\n");
  });

  it("count a value in each bucket that includes it", () => {
    const histogram = new Histogram({ name: "took_ms", help: "Took." }, [10, 100]);
    for (const value of [10, 11, 1_000]) histogram.observe({ of: "x" }, value);
    expect(histogram.text().split("\n").slice(2)).toEqual([
      'took_ms_bucket{of="x",le="10"} 1',
      'took_ms_bucket{of="x",le="100"} 2',
      'took_ms_bucket{of="x",le="+Inf"} 3',
      'took_ms_sum{of="x"} 1021',
      'took_ms_count{of="x"} 3',
      "",
    ]);
  });

  // promise: agent-ids-bounded
  it("do not grow with input from clients", () => {
    const counter = new Counter({ name: "asks_total", help: "Asks." });
    for (let index = 0; index < 1_000; index += 1) counter.add({ tool: `tool ${index}` });
    expect(counter.text().split("\n")).toHaveLength(2 + 201 + 1);
    expect(counter.text()).toContain('asks_total{tool="other"} 800\n');
  });
});

describe("a hub's /metrics", () => {
  // promise: token-scopes
  it("shows a desk or a metrics token, but no asker, what was asked and how long it took", async () => {
    const home = temporaryHome();
    await serveHere(home);
    const { url = "", askerToken = "" } = readHubFile(home.folders) ?? {};
    const { deskToken = "" } = readDeskFile(home.folders) ?? {};
    const read = (token: string) => fetch(new URL("/metrics", url), { headers: { authorization: `Bearer ${token}` } });
    expect((await read(askerToken)).status).toBe(403);
    const made = await fetch(new URL("/api/tokens", url), {
      method: "POST",
      headers: { authorization: `Bearer ${deskToken}` },
      body: JSON.stringify({ name: "prometheus", scope: "metrics" }),
    });
    expect((await read((await made.json()).token)).status).toBe(200);
    expect((await fetch(new URL("/mcp", url), { method: "POST" })).status).toBe(401);
    const none = await fetch(new URL("/api/sessions/none", url), { headers: { authorization: `Bearer ${deskToken}` } });
    expect(none.status).toBe(404);

    const asker = await connect(home);
    const desk = await connect(home, { role: "desk" });
    const request = parseAsk({ questions: [{ id: "q", question: "What now?" }] }, { ids: seededIds() });
    const { session } = await asker.asker.ask(request, { asker: anAsker(), maxWait: 0 });
    const shown = async () => {
      const answer = await read(deskToken);
      expect(answer.headers.get("content-type")).toContain("text/plain; version=0.0.4");
      return answer.text();
    };
    expect(await shown()).toContain("\naskbox_pending_sessions 1\n");
    await desk.desk.answer(session.id, { answers: [{ questionId: "q", values: ["go on"] }] });
    await until(async () => (await shown()).includes('mcp_question_latency_ms_count{outcome="answered"} 1\n'));
    const text = await shown();
    expect(text).toContain('mcp_question_latency_ms_bucket{outcome="answered",le="1800000"} 1\n');
    expect(text).toContain('askbox_surfaces{surface="cli"} 1\n');
    expect(text).toContain('askbox_store_operation_ms_count{operation="insert"} 1\n');
    expect(text).toContain('mcp_errors_total{type="unauthorized"} 1\n');
    expect(text).toContain('mcp_errors_total{type="session_not_found"} 1\n');
    expect(text).toContain('mcp_errors_total{type="forbidden"} 1\n');
  });

  it("counts waiting askers, without what was asked or by whom", async () => {
    const home = temporaryHome();
    await serveHere(home);
    const { url = "" } = readHubFile(home.folders) ?? {};
    const { deskToken = "" } = readDeskFile(home.folders) ?? {};
    const { asker } = await connect(home);
    const { desk } = await connect(home, { role: "desk", name: "Ada" });
    const request = parseAsk({ questions: [{ id: "q", question: "secret-question" }] }, { ids: seededIds() });
    const about = { client: { name: "secret-client" }, project: "/secret-project", branch: "secret-branch", agentId: "secret-agent" };
    const { session } = await asker.ask(request, { asker: about, maxWait: 0 });
    const waiting = resumed(asker, session.id);
    const shown = async () => (await fetch(new URL("/metrics", url), { headers: { authorization: `Bearer ${deskToken}` } })).text();
    await until(async () => (await shown()).includes("\naskbox_waiting_calls 1\n"));
    await desk.answer(session.id, { answers: [{ questionId: "q", values: ["secret-answer"] }] });
    await waiting;
    await until(async () => (await shown()).includes('mcp_question_latency_ms_count{outcome="answered"} 1\n'));
    expect(await shown()).not.toMatch(/secret|Ada/);
  });

  it("counts what becomes of webhooks, without their addresses, and shows its process and its files", async () => {
    const { port } = await occupyPort((_request, response) => response.writeHead(204).end());
    const { port: refusing } = await occupyPort((_request, response) => response.writeHead(410).end());
    const home = temporaryHome();
    const webhooks = [port, refusing].map((each) => ({ url: `http://127.0.0.1:${each}/secret-path` }));
    writePrivateFile(homeFiles(home.folders).config, JSON.stringify({ webhooks }));
    await serveHere(home);
    const { url = "" } = readHubFile(home.folders) ?? {};
    const { deskToken = "" } = readDeskFile(home.folders) ?? {};
    const shown = async () => (await fetch(new URL("/metrics", url), { headers: { authorization: `Bearer ${deskToken}` } })).text();
    const counted = (result: string, count: number) => `askbox_deliveries_total{channel="webhook",result="${result}"} ${count}\n`;
    expect(await shown()).toContain(counted("dropped", 0));
    const { asker } = await connect(home);
    const request = parseAsk({ questions: [{ id: "q", question: "What now?" }] }, { ids: seededIds() });
    await asker.ask(request, { asker: anAsker(), maxWait: 0 });
    await until(async () => {
      const text = await shown();
      return text.includes(counted("delivered", 1)) && text.includes(counted("dropped", 1));
    });
    const text = await shown();
    expect(text).toContain('\naskbox_deliveries_waiting{channel="webhook"} 0\n');
    expect(text).toContain("\naskbox_files_bytes 0\n");
    expect(text).toContain("\naskbox_files_max_bytes 2000000000\n");
    expect(text).toMatch(/\nprocess_resident_memory_bytes \d{7,}\n/);
    expect(text).not.toMatch(/secret-path|127\.0\.0\.1/);
  });

  it("counts calls over HTTP by tool and outcome", async () => {
    const home = temporaryHome();
    await serveHere(home);
    const { url = "", askerToken = "" } = readHubFile(home.folders) ?? {};
    const { deskToken = "" } = readDeskFile(home.folders) ?? {};
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const call = await fetch(new URL("/mcp", url), {
      method: "POST",
      headers: {
        authorization: `Bearer ${askerToken}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "ask_user",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ask_user", arguments: {}, _meta: meta } }),
    });
    expect(await call.text()).toContain("Validation error");
    const text = await (await fetch(new URL("/metrics", url), { headers: { authorization: `Bearer ${deskToken}` } })).text();
    expect(text).toContain('mcp_tool_calls_total{tool="ask_user",status="error"} 1\n');
    expect(text).toContain('mcp_errors_total{type="validation"} 1\n');
  });

  it("counts calls reported by a server on stdio; an agent over HTTP counts while it is connected", async () => {
    const home = temporaryHome();
    await serveHere(home);
    const { url = "", askerToken = "" } = readHubFile(home.folders) ?? {};
    const { deskToken = "" } = readDeskFile(home.folders) ?? {};
    const server = await connect(home);
    await server.ready();
    server.called({ tool: "ask_user", status: "aborted" });
    server.called({ tool: "ask_user", status: "error", error: "HUB_UNREACHABLE" });
    const shown = async () => (await fetch(new URL("/metrics", url), { headers: { authorization: `Bearer ${deskToken}` } })).text();
    await until(async () => (await shown()).includes('mcp_tool_calls_total{tool="ask_user",status="error"} 1\n'));
    const text = await shown();
    expect(text).toContain('mcp_tool_calls_total{tool="ask_user",status="aborted"} 1\n');
    expect(text).toContain('mcp_errors_total{type="hub_unreachable"} 1\n');

    // An asker's own text never becomes a label.
    server.called({ tool: "Drop the production database?", status: "error", error: "My text" });
    await until(async () => (await shown()).includes('mcp_tool_calls_total{tool="other",status="error"} 1\n'));
    expect(await shown()).toContain('mcp_errors_total{type="other"} 1\n');
    expect(await shown()).not.toMatch(/production|my text/i);

    const askers = async () => (await hubStatus({ env: home.env, agent })).askers;
    expect(await askers()).toBe(1);
    const leave = new AbortController();
    await fetch(new URL("/sse", url), { signal: leave.signal, headers: { authorization: `Bearer ${askerToken}` } });
    await until(async () => (await askers()) === 2);
    leave.abort();
    await until(async () => (await askers()) === 1);
  });
});
