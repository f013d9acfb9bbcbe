import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Desk } from "@askbox/core";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { openHome, program } from "../command/support/home.ts";
import { openHub } from "./harness/hub.ts";
import { pendingSessions } from "./harness/inbox.ts";

type Form = (signal: AbortSignal) => unknown;

const input = { questions: [{ id: "a", question: "Which?", type: "select", options: ["Red", "Green"], allowOther: false }] };
const red = { answers: [{ questionId: "a", values: ["Red"] }] };
const eras = ["2025-11-25", "2026-07-28"] as const;
type Era = (typeof eras)[number];

/** Processes start slowly if there are many. */
const timeout = 60_000;

interface HubPlace {
  url: string;
  token: string;
  home: string;
}

/** A hub that accepts answers from clients' forms, and its desk. */
async function openForms(): Promise<HubPlace & { desk: Desk; nextSession: Awaited<ReturnType<typeof pendingSessions>> }> {
  const { broker, origin: url, token, close } = await openHub({ clientForms: true });
  const home = await mkdtemp(join(tmpdir(), "askbox-home-"));
  onTestFinished(async () => {
    await close();
    await rm(home, { recursive: true, force: true });
  });
  const desk = broker.desk({ surface: "web", name: "Ada" });
  return { url, token, home, desk, nextSession: await pendingSessions(desk) };
}

async function connect(era: Era, form: Form, transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client(
    { name: "form-client", version: "1" },
    { capabilities: { elicitation: { form: {} } }, ...(era === "2026-07-28" ? { versionNegotiation: { mode: { pin: era } } } : {}) },
  );
  client.setRequestHandler("elicitation/create", async (_request, ctx) => (await form(ctx.mcpReq.signal)) as never);
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

function stdioServer(env: Record<string, string>, home: string): StdioClientTransport {
  const [command, ...args] = program;
  return new StdioClientTransport({ command, args: [...args, "mcp", "--surfaces", "inbox,client"], env, cwd: home, stderr: "ignore" });
}

const transports = {
  stdio: ({ url, token, home }: HubPlace) =>
    stdioServer({ PATH: process.env["PATH"] ?? "", ASKBOX_HOME: home, ASKBOX_HUB: url, ASKBOX_TOKEN: token }, home),
  HTTP: ({ url, token }: HubPlace) =>
    new StreamableHTTPClientTransport(new URL(`${url}/mcp?surfaces=inbox,client`), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
};

const ask = (client: Client) => client.callTool({ name: "ask_user", arguments: input });

describe.each(Object.entries(transports))("the client's own form over %s", { timeout: timeout }, (_name, transport) => {
  test.each(eras)("settles the question of a client of %s, and the inbox shows where", async (era) => {
    const hub = await openForms();
    const client = await connect(era, () => ({ action: "accept", content: { a: "Green" } }), transport(hub));
    expect((await ask(client)).structuredContent).toMatchObject({
      answered: true,
      answers: [{ questionId: "a", values: ["Green"] }],
      answeredBy: { surface: "client", name: "form-client" },
    });
    const [session] = (await hub.desk.list()).items;
    expect(session?.outcome?.by).toEqual({ surface: "client", name: "form-client" });
  });

  test.each(eras)("closes nothing when a client of %s declines automatically", async (era) => {
    const hub = await openForms();
    const client = await connect(era, () => ({ action: "decline" }), transport(hub));
    const call = ask(client);
    const { id } = await hub.nextSession();
    await expect.poll(async () => (await hub.desk.get(id)).presence.asker, { timeout: 90_000 }).toBe("attached");
    await hub.desk.answer(id, red);
    expect((await call).structuredContent).toMatchObject({ answered: true, answeredBy: { surface: "web", name: "Ada" } });
  });

  test("is cancelled when the inbox is answered first", async () => {
    const hub = await openForms();
    const shown = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const form: Form = (signal) => {
      shown.resolve();
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          closed.resolve();
          resolve({ action: "cancel" });
        });
      });
    };
    const client = await connect("2025-11-25", form, transport(hub));
    const call = ask(client);
    const { id } = await hub.nextSession();
    await shown.promise;
    await hub.desk.answer(id, red);
    expect((await call).structuredContent).toMatchObject({ answeredBy: { surface: "web" } });
    await closed.promise;
  });
});

// promise: client-form-needs-consent
test("a hub accepts answers from clients' forms once its config allows it, and not before", {
  timeout: 2 * timeout,
}, async () => {
  const home = await openHome();
  onTestFinished(() => home.close());
  const env = { PATH: process.env["PATH"] ?? "", ASKBOX_HOME: home.path, ASKBOX_ATTENTION: "none" };
  let shown = 0;
  const form: Form = () => {
    shown += 1;
    return { action: "accept", content: { a: "Green" } };
  };
  const before = await connect("2025-11-25", form, stdioServer(env, home.path));
  const call = ask(before);
  const list = async () => JSON.parse((await home.run(["list", "--json", "--status", "pending"])).stdout) as { id: string }[];
  await expect.poll(list, { timeout: timeout }).toHaveLength(1);
  const [{ id } = { id: "" }] = await list();
  await home.run(["answer", id, "Red"]);
  expect((await call).structuredContent).toMatchObject({ answeredBy: { surface: "cli" } });
  expect(shown).toBe(0);
  await before.close();
  await home.run(["config", "set", "allowClientForms", "true"]);
  await home.run(["hub", "stop"]);
  const after = await connect("2025-11-25", form, stdioServer(env, home.path));
  expect((await ask(after)).structuredContent).toMatchObject({ answeredBy: { surface: "client", name: "form-client" } });
});
