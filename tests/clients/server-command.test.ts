import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type Home, openHome, program } from "../command/support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

async function connect(...flags: string[]): Promise<Client> {
  const [command, ...args] = program;
  const env = { ASKBOX_HOME: home.path, PATH: process.env["PATH"] ?? "", ASKBOX_ATTENTION: "none" };
  const client = new Client({ name: "some-client", version: "1" });
  await client.connect(new StdioClientTransport({ command, args: [...args, "server", ...flags], env }));
  onTestFinished(() => client.close());
  return client;
}

const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

test("askbox server is the ask_user_questions server: its name, its tool along with get_answer, and a call that returns the answer", async () => {
  await home.serve();
  const client = await connect();
  expect(client.getServerVersion()).toMatchObject({ name: "AskUserQuestions" });
  expect(await toolsOf(client)).toEqual(["ask_user_questions", "get_answer", "get_files"]);
  const options = [{ label: "Postgres", description: "The one we know" }, { label: "SQLite" }];
  const call = client.callTool({
    name: "ask_user_questions",
    arguments: { questions: [{ prompt: "Which store?", title: "Store", options }] },
  });
  expect((await home.run(["answer", (await home.pending()).id, "Postgres"])).code).toBe(0);
  const { content } = await call;
  expect(content).toEqual([{ type: "text", text: expect.stringContaining("1. Store: Which store?\n   - Postgres (The one we know)") }]);
});

test("askbox server with --tools is askbox mcp, and its other flags override its own", async () => {
  const named = await connect("--tools", "ask_user");
  expect(named.getServerVersion()?.name).not.toBe("AskUserQuestions");
  expect(await toolsOf(named)).toEqual(["ask_user", "get_answer", "get_files"]);
  const limited = await connect("--max-wait", "50");
  expect(await toolsOf(limited)).toEqual(["ask_user_questions", "get_answer", "get_files"]);
});
