import { AskboxError } from "@askbox/core";
import { describe, expect, test } from "vitest";
import { connected, textOf } from "./connected.ts";

const framework = { prompt: "Which?", title: "Pick", options: [{ label: "A" }, { label: "B" }] };
const calls = [
  { tool: "ask_user", args: { questions: [{ question: "Which?" }] } },
  { tool: "ask_user_questions", args: { questions: [framework] } },
  { tool: "ask_human", args: { question: "Which?", agent_id: "abc-123" } },
  { tool: "interactive_feedback", args: { project_directory: "/p", summary: "Which?" } },
  { tool: "zhi", args: { message: "Which?" } },
  { tool: "request_user_input", args: { projectName: "p", message: "Which?" } },
  { tool: "plan_review", args: { plan: "# A plan" } },
] as const;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each(calls)("$tool", ({ tool, args }) => {
  test.each(["answered", "cancelled", "timed out"] as const)(
    "logs the end of a session that was %s, with session and call",
    async (end) => {
      const { client, connect, desk, logged, platform } = await connected({ tools: [tool], timeout: 10_000 });
      await connect();
      const call = client.callTool({ name: tool, arguments: args });
      await desk.watch({}, (event) => {
        if (event.type !== "session" || event.session.status !== "pending") return;
        const { id, questions } = event.session;
        if (end === "answered")
          void desk.answer(id, {
            answers: [{ questionId: questions[0]?.id ?? "", values: [tool === "plan_review" ? "approve" : "A"] }],
            comment: "my secret",
          });
        if (end === "cancelled") void desk.cancel(id);
      });
      await platform.clock.advance(end === "timed out" ? 10_000 : 0);
      await call;
      const [session] = (await desk.list()).items;
      expect(logged.at(-1)).toEqual({
        level: end === "timed out" ? "warn" : "info",
        message: end === "timed out" ? "Session failed" : "Session completed successfully",
        data: expect.objectContaining({ sessionId: session?.id, callId: expect.stringMatching(uuid) }),
      });
      expect(JSON.stringify(logged)).not.toContain("my secret");
    },
  );

  test("without a hub it fails at once, with a message that an agent can pass on, and logs the failure with its details", async () => {
    const { client, connect, logged } = await connected({
      clientName: "claude-code",
      tools: [tool],
      asker: async () => {
        throw new AskboxError("HUB_UNREACHABLE", "No hub runs at http://127.0.0.1:1");
      },
    });
    await connect();
    const result = await client.callTool({ name: tool, arguments: args });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      "Failed: the person was not asked. No hub runs at http://127.0.0.1:1. Until that is fixed, use your own AskUserQuestion tool, or ask in the chat. Do not take silence for an answer.",
    );
    expect(logged).toContainEqual({
      level: "warn",
      message: "Session failed",
      data: expect.objectContaining({ code: "HUB_UNREACHABLE", error: "No hub runs at http://127.0.0.1:1" }),
    });
  });

  test("a hub that is lost during the question is an error that says how to resume", async () => {
    const { client, connect, broker, desk } = await connected({ tools: [tool] });
    await connect();
    const call = client.callTool({ name: tool, arguments: args });
    const id = await new Promise<string>((resolve) => {
      void desk.watch({}, (event) => event.type === "session" && resolve(event.session.id));
    });
    await broker.close();
    const result = await call;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(`The questions stay open under sessionId ${id}`);
  });
});

test.each([
  ["/home/me/shop", undefined, "/home/me/shop"],
  ["C:\\shop", undefined, "C:\\shop"],
  ["shop", undefined, undefined],
  ["/home/me/shop\nmore", undefined, undefined],
  ["/elsewhere", "/home/me/own", "/home/me/own"],
])("interactive_feedback's project_directory %j with the server's own project %j makes the project %j", async (folder, own, project) => {
  const identity = async () => (own === undefined ? {} : { project: own });
  const { client, connect, desk } = await connected({ tools: ["interactive_feedback"], identity });
  await connect();
  const arrived = new Promise<string | undefined>((resolve) => {
    void desk.watch({}, (event) => event.type === "session" && resolve(event.session.asker.project));
  });
  const over = new AbortController();
  const call = client.callTool(
    { name: "interactive_feedback", arguments: { project_directory: folder, summary: "Which?" } },
    { signal: over.signal },
  );
  expect(await arrived).toBe(project);
  over.abort();
  await call.catch(() => {});
});
