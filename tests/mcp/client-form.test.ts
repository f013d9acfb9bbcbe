import { Client, type StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { openHome, program } from "../command/support/home.ts";

type Form = (signal: AbortSignal) => unknown;

const input = { questions: [{ id: "a", question: "Which?", type: "select", options: ["Red", "Green"], allowOther: false }] };
const eras = ["2025-11-25", "2026-07-28"] as const;
type Era = (typeof eras)[number];

/** Processes start slowly if there are many. */
const timeout = 60_000;

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

const ask = (client: Client) => client.callTool({ name: "ask_user", arguments: input });

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
  await expect.poll(list).toHaveLength(1);
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
