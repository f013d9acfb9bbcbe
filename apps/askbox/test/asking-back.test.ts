import { describe, expect, test } from "vitest";
import { openInbox } from "./support/inbox.ts";

const name = { id: "name", question: "What is it called?" };
const db = { id: "db", question: "Which database?", options: ["SQLite", "Postgres"] };

describe("askbox ask-back", () => {
  test("sends a message to the waiting agent, and show prints the thread: who, where, when, and the reply", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [db, name] });
    expect(await inbox.run(["ask-back", id.slice(0, 6), "Why not\u001b[31m Postgres?", "--question", "db"])).toEqual({
      code: 0,
      stdout: `Asked test-client (agent-1) about ${id.slice(0, 8)}. The agent gets it now; the questions stay open.\n`,
      stderr: "",
    });
    await inbox.asker.resume(id, { reply: "It needs a server.", maxWait: 0 });
    const { stdout } = await inbox.run(["show", id]);
    expect(stdout).toContain("Asked back by grace on the command line just now, about question 1");
    expect(stdout).toContain("\n  Why not␛ Postgres?\nThe agent replied just now:\n  It needs a server.\n");
    expect(stdout).not.toContain("\u001b[31m");
    expect(stdout).toContain(`askbox ask-back ${id.slice(0, 8)} TEXT`);
    const { thread } = JSON.parse((await inbox.run(["show", id, "--json"])).stdout);
    expect(thread).toMatchObject([{ questionId: "db", by: { surface: "cli", name: "grace" } }, { by: { surface: "asker" } }]);
  });

  test("says that the agent has left, and that it gets the message with its next call", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [name] }, { leaves: true });
    const { stdout } = await inbox.run(["ask-back", id, "Why?"]);
    expect(stdout).toContain("The agent has left; it gets this with its next call.");
    expect((await inbox.run(["show", id])).stdout).toContain("not delivered yet");
  });

  test("is only for people, and reports an invalid message", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [name] });
    const refused = await inbox.run(["ask-back", id, "Why?"], { agent: "claude-code" });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("agents must not ask back about questions") });
    expect(await inbox.run(["ask-back", id, "x".repeat(4_001)])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("A message to the agent must have 1 to 4,000 characters."),
    });
    expect((await inbox.desk.get(id)).thread).toBeUndefined();
  });
});

describe("askbox ask and askbox wait, when asked back", () => {
  test("print the message and how to reply, and the answer after the reply", async () => {
    const inbox = await openInbox();
    const asking = inbox.start(["ask", "What is it called?"]);
    const id = await inbox.asked();
    await inbox.desk.askBack(id, { text: "What is what called?" });
    expect(await asking.done).toMatchObject({
      code: 4,
      stdout: "",
      stderr: expect.stringContaining(
        `Asked back by ada in the browser: What is what called?\nNothing has been answered yet; to reply and keep waiting, run \`askbox wait ${id.slice(0, 8)} --reply TEXT\`.`,
      ),
    });
    const waiting = inbox.start(["wait", id, "--reply", "The module."]);
    await inbox.attached(id);
    const { questions, thread } = await inbox.desk.get(id);
    expect(thread?.map(({ text }) => text)).toEqual(["What is what called?", "The module."]);
    await inbox.desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["lathe"] }] });
    expect(await waiting.done).toMatchObject({ code: 0, stdout: "lathe\n" });
  });

  test("return it like the tool with --json", async () => {
    const inbox = await openInbox();
    const asking = inbox.start(["ask", "What is it called?", "--json"]);
    const id = await inbox.asked();
    await inbox.desk.askBack(id, { text: "Why?" });
    const { code, stdout } = await asking.done;
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toEqual({
      answered: false,
      cancelled: false,
      timedOut: false,
      answers: [],
      pending: true,
      sessionId: id,
      askedBack: [{ text: "Why?" }],
    });
  });
});
