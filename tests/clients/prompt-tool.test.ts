import { parseExact } from "@askbox/core/schemas";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome, program } from "../command/support/home.ts";
import { until } from "../support/until.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

async function connected(env: Record<string, string> = {}): Promise<Client> {
  const [command, ...args] = program;
  const client = new Client({ name: "claude-code", version: "2.1.330" });
  home.whenClosed(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args, "mcp", "--approval-prompt"],
      env: { ASKBOX_HOME: home.path, PATH: process.env["PATH"] ?? "", ...env },
    }),
  );
  return client;
}

const prompt = (client: Client, command: string, signal?: AbortSignal) =>
  client.callTool(
    { name: "approval_prompt", arguments: { tool_name: "Bash", input: { command }, tool_use_id: "toolu_01" } },
    { timeout: 120_000, signal },
  );

const text = (result: object) => JSON.stringify({ content: [{ type: "text", text: JSON.stringify(result) }] });

test("askbox mcp --approval-prompt asks a person, and answers Claude Code with a single text", async () => {
  await home.serve();
  const client = await connected();
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["approval_prompt"]);

  const allowed = prompt(client, "touch proof.txt");
  const { id, title } = await home.pending();
  expect(title).toBe("Bash: touch proof.txt");
  await home.run(["allow", id]);
  expect(JSON.stringify(await allowed)).toBe(text({ behavior: "allow", updatedInput: { command: "touch proof.txt" } }));

  const exact = parseExact('{"id":9007199254740993,"rate":1e999}') as Record<string, unknown>;
  const written = client.callTool({ name: "approval_prompt", arguments: { tool_name: "mcp__db__drop", input: exact } });
  const request = await home.pending();
  expect((await home.run(["show", request.id])).stdout).toMatch(/id: 9007199254740993\n.*rate: 1e999\n/);
  await home.run(["allow", request.id]);
  const released = '{"behavior":"allow","updatedInput":{"id":9007199254740993,"rate":1e999}}';
  expect((await written).content).toEqual([{ type: "text", text: released }]);

  for (const input of [{}, undefined]) {
    const bare = client.callTool({ name: "approval_prompt", arguments: { tool_name: "mcp__db__reset", input } });
    await home.run(["allow", (await home.pending()).id]);
    expect(JSON.stringify(await bare), "without arguments").toBe(text({ behavior: "allow", updatedInput: {} }));
  }

  const denied = prompt(client, "rm proof.txt");
  await home.run(["deny", (await home.pending()).id, "Keep it"]);
  expect(JSON.stringify(await denied)).toBe(
    text({ behavior: "deny", message: "A person denied this in askbox, and it was not run. Their words: Keep it" }),
  );
});

test("cancelling the call in Claude Code withdraws its request, and a hub that stops allows nothing", async () => {
  await home.serve();
  const client = await connected();
  const cancelling = new AbortController();
  const cancelled = prompt(client, "touch a", cancelling.signal);
  const { id } = await home.pending();
  cancelling.abort();
  await expect(cancelled).rejects.toThrow();
  await until("it is taken back", async () => JSON.parse((await home.run(["show", id, "--json"])).stdout).status === "cancelled");

  const left = prompt(client, "touch b");
  await home.pending();
  await home.run(["hub", "stop"]);
  const { content } = (await left) as { content: { text: string }[] };
  expect(JSON.parse(content[0]?.text ?? "")).toMatchObject({ behavior: "deny" });
});

test("without a hub it denies, and says why", async () => {
  const client = await connected({ ASKBOX_HUB: "http://127.0.0.1:9", ASKBOX_TOKEN: "abx_none" });
  const { content } = (await prompt(client, "touch a")) as { content: { text: string }[] };
  expect(JSON.parse(content[0]?.text ?? "")).toEqual({ behavior: "deny", message: expect.stringMatching(/No askbox hub.*not allowed\.$/) });
});
