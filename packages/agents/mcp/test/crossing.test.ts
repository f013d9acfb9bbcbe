import { type Broker, createBroker, memoryStore } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { conversationOf, createAskServer, type DialectName, dialectNames } from "../src/index.ts";

const uuid = (last: number) => `019a0000-0000-7000-8000-00000000000${last}`;

/** What each client tells a server about its conversation: in the environment, with each call, or nothing. */
const clients = {
  "claude-code": { env: uuid },
  "codex-mcp-client": { meta: (run: number) => ({ threadId: uuid(run), sessionId: uuid(run) }) },
  opencode: {},
  "gemini-cli-mcp-client": {},
  "a client of tomorrow": {},
} as Record<string, { env?: (run: number) => string; meta?: (run: number) => Record<string, string> }>;

const asked = {
  ask_user: (question) => ({ questions: [{ question, options: ["Yes", "No"] }] }),
  cn_ask_user: (question) => ({ questions: [{ question, options: ["Yes", "No"] }] }),
  ask_human: (question) => ({ question, options: ["Yes", "No"], agent_id: "builder" }),
  interactive_feedback: (message) => ({ message, predefined_options: ["Yes", "No"] }),
  zhi: (message) => ({ message, predefined_options: ["Yes", "No"] }),
  request_user_input: (message) => ({ projectName: "p", message, predefinedOptions: ["Yes", "No"] }),
  plan_review: (plan) => ({ plan }),
  walkthrough_review: (plan) => ({ plan }),
  ask_user_questions: (question) => ({
    questions: [
      {
        id: "q",
        title: "Q",
        prompt: question,
        options: [
          { id: "y", label: "Yes" },
          { id: "n", label: "No" },
        ],
      },
    ],
  }),
} satisfies Record<DialectName, (question: string) => Record<string, unknown>>;

/** A stdio server's process in one folder, as its client calls it. */
async function aProcess(broker: Broker, platform: ReturnType<typeof testPlatform>, name: string, tool: DialectName, run: number) {
  const port = broker.asker("token-1");
  const { env = () => undefined, meta = () => ({}) } = clients[name] ?? {};
  const server = createAskServer({
    asker: async () => port,
    identity: async (caller) => ({ project: "/p", conversation: conversationOf(caller, () => env(run)), instance: `run ${run}` }),
    platform,
    version: "0.0.0",
    tools: [tool],
    maxWait: 1_000,
  });
  await server.warmUp();
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(server.factory, { transport: far });
  const client = new Client({ name, version: "1" });
  await client.connect(near);
  const call = async (tool: string, args: Record<string, unknown>) => {
    const result = client.callTool({ name: tool, arguments: args, _meta: meta(run) });
    const over = result.then(() => true);
    while (!(await Promise.race([over, new Promise<false>((resolve) => setImmediate(() => resolve(false)))])))
      await platform.clock.advance(100);
    await server.whenIdle();
    return JSON.stringify(await result);
  };
  const leave = async () => {
    await client.close();
    await handle.close();
    port.close();
  };
  onTestFinished(leave);
  return {
    ask: (question: string) => call(tool, asked[tool](question)),
    getAnswer: () => call("get_answer", { agent_id: "builder" }),
    leave,
  };
}

describe.each(Object.keys(clients))("two servers that %s has started in one folder", (name) => {
  // promise: agents-kept-apart
  test.each(dialectNames)("each get their own answers with %s, and the other's only once that one has gone", async (tool) => {
    const platform = testPlatform();
    const broker = await createBroker({ store: memoryStore(), ...platform });
    onTestFinished(() => broker.close());
    const first = await aProcess(broker, platform, name, tool, 1);
    const second = await aProcess(broker, platform, name, tool, 2);
    await first.ask("Drop the table?");
    const desk = broker.desk({ surface: "web" });
    const answer = async (words: string) => {
      const { items } = await desk.list({ statuses: ["pending"] });
      for (const { id: sessionId, questions } of items)
        await desk.answer(sessionId, {
          answers: questions.map(({ id, type }) => ({
            questionId: id,
            ...(type === "text"
              ? { values: [words] }
              : type === "review"
                ? { values: ["request_changes"], note: words }
                : { values: [], customText: words }),
          })),
        });
    };
    await answer("only this once");
    expect(await second.ask("Another one?")).not.toContain("only this once");
    expect(await second.ask("Drop the table?"), "asking the same").not.toContain("only this once");
    expect(await second.getAnswer()).not.toContain("only this once");
    expect(await first.getAnswer()).toContain("only this once");
    await answer("for the second");
    expect(await first.getAnswer()).not.toContain("for the second");
    await second.leave();
    expect(await first.getAnswer(), "to whoever comes next").toContain("for the second");
  });
});
