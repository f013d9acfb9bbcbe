import { parseAsk } from "@askbox/core";
import { anAsker, deliver, resumed, seededIds } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { type Inbox, openInbox } from "./support/inbox.ts";

const conversation = "5f0c1b2a-0000-4000-8000-123456789abc";

/** A question in plain words, from an agent that keeps waiting or leaves at once. */
async function askedBy(inbox: Inbox, asker: Partial<ReturnType<typeof anAsker>>, { leaves = false } = {}): Promise<string> {
  const request = parseAsk({ questions: [{ id: "q", question: "Blue or green?" }] }, { ids: seededIds() });
  const { session } = await inbox.asker.ask(request, { asker: { ...anAsker(), ...asker, tool: "ask_human" }, maxWait: 0 });
  const gone = new AbortController();
  resumed(inbox.asker, session.id, { signal: gone.signal }).catch(() => {});
  if (leaves) gone.abort();
  return session.id;
}

describe("askbox agent", () => {
  test("registers, lists and forgets agents", async () => {
    const inbox = await openInbox();
    expect((await inbox.run(["agent", "list"])).stdout).toBe("No agents are registered; ask_human accepts any id.\n");
    const added = await inbox.run(["agent", "add", "builder", "--name", "The builder", "--json"]);
    expect(added).toEqual({ code: 0, stdout: expect.any(String), stderr: "" });
    expect(JSON.parse(added.stdout)).toEqual({ id: "builder", name: "The builder" });
    expect((await inbox.run(["agent", "add", "abc-123"])).stdout).toContain("Registered abc-123.");
    expect(JSON.parse((await inbox.run(["agent", "list", "--json"])).stdout)).toEqual([
      { id: "builder", name: "The builder" },
      { id: "abc-123" },
    ]);
    expect((await inbox.run(["agent", "list"])).stdout).toBe("builder  The builder\nabc-123\n");
    expect((await inbox.run(["agent", "remove", "builder"])).stdout).toBe("Removed builder.\n");
    expect((await inbox.run(["agent", "remove", "abc-123"])).stdout).toContain("No agents are registered now");
    expect(await inbox.run(["agent", "remove", "abc-123"])).toMatchObject({ code: 1, stderr: 'No agent is registered as "abc-123".\n' });
  });

  test("rejects an invalid id", async () => {
    const inbox = await openInbox();
    expect(await inbox.run(["agent", "add", " "])).toMatchObject({
      code: 2,
      stderr: "An agent's id must be at least 1 character long.\n",
    });
  });
});

describe("askbox agents", () => {
  test("lists those that wait first, with their question, and how to resume one that has gone", async () => {
    const inbox = await openInbox();
    expect((await inbox.run(["agents"])).stdout).toBe("No agent has asked yet.\n");
    const gone = await askedBy(inbox, { client: { name: "claude-code" }, agentId: undefined, conversation }, { leaves: true });
    await inbox.clock.advance(120_000);
    const waits = await askedBy(inbox, { agentId: "builder", project: "/tmp/\u001b[31mred" });
    const { stdout } = await inbox.run(["agents"]);
    expect(stdout.replaceAll(/a_[0-9a-f]{12}/g, "ID")).toBe(
      [
        "waiting  ID  test-client (builder) · ␛red (main) · for 0 s",
        `         ${waits.slice(0, 8)} pending: Blue or green?`,
        "working  ID  Claude Code · engine (main) · active 2 min ago",
        `         ${gone.slice(0, 8)} pending: Blue or green?`,
        "",
      ].join("\n"),
    );
    expect(JSON.parse((await inbox.run(["agents", "--json"])).stdout)).toMatchObject([
      { state: "waiting" },
      { resume: { how: "conversation" } },
    ]);
  });

  test("message writes to one by its id or that of its question, and is only for people", async () => {
    const inbox = await openInbox();
    const id = await askedBy(inbox, {});
    const [{ id: agent = "" } = {}] = await inbox.desk.conversations();
    const told = await inbox.run(["agents", "message", agent.slice(0, 6), "Use red."]);
    expect(told).toEqual({
      code: 0,
      stdout: "Wrote to test-client (agent-1). It gets this now, and its question stays open.\n",
      stderr: "",
    });
    await inbox.desk.cancel(id);
    expect((await inbox.run(["agents", "message", id, "Thanks."])).stdout).toContain("It gets this with its next call.");
    expect((await inbox.run(["show", id])).stdout).toContain(
      "Message by grace on the command line just now, not delivered yet:\n  Thanks.",
    );
    expect(await inbox.run(["agents", "message", "a_0123", "Hi."])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("`askbox agents` lists them"),
    });
    expect(await inbox.run(["agents", "message", id, "Hi."], { agent: "claude-code" })).toMatchObject({ code: 1 });
  });
});

describe("askbox answer --agent", () => {
  test("answers the agent's questions in order, and says when there is none", async () => {
    const inbox = await openInbox();
    const other = await askedBy(inbox, { agentId: "other" });
    const first = await askedBy(inbox, { agentId: "builder" });
    await inbox.clock.advance(10);
    const second = await askedBy(inbox, { agentId: "builder", branch: "later" });
    const answered = await inbox.run(["answer", "--agent", "builder", "Blue."]);
    expect(answered).toMatchObject({ code: 0, stdout: `Answered ${first.slice(0, 8)} for test-client (builder): Blue.\n` });
    expect((await inbox.run(["answer", "Green.", "--agent", "builder"])).code).toBe(0);
    for (const [id, words] of [
      [first, "Blue."],
      [second, "Green."],
    ] as const) {
      expect((await inbox.desk.get(id)).outcome).toMatchObject({ answers: [{ values: [words] }] });
    }
    expect((await inbox.desk.get(other)).status).toBe("pending");
    expect(await inbox.run(["answer", "--agent", "builder", "Red."])).toMatchObject({
      code: 1,
      stderr: 'The agent "builder" has no pending questions.\n',
    });
  });

  test("without an agent, takes an id", async () => {
    const inbox = await openInbox();
    expect(await inbox.run(["answer"])).toMatchObject({ code: 2, stderr: expect.stringContaining("pass their id, or --agent") });
  });
});

describe("askbox show for an agent that has left", () => {
  const shown = async (asker: Partial<ReturnType<typeof anAsker>>, resume?: string) => {
    const inbox = await openInbox();
    if (resume !== undefined) await inbox.agents.add({ id: asker.agentId ?? "", resume });
    const id = await askedBy(inbox, asker, { leaves: true });
    return (await inbox.run(["show", id], { columns: 200 })).stdout;
  };

  test("prints the command it was registered with", async () => {
    expect(await shown({ agentId: "builder", conversation }, "make resume")).toMatch(
      /the command it was registered with:\n {2}make resume\n/,
    );
  });

  test("prints the command for its conversation if its client reported it", async () => {
    const text = await shown({ client: { name: "claude-code" }, project: "/home/ada/my engine", conversation });
    expect(text).toContain(`  cd '/home/ada/my engine' && claude --resume ${conversation}\n`);
    const codex = await shown({ client: { name: "codex-mcp-client" }, project: "/home/ada/engine", conversation });
    expect(codex).toContain(`  cd /home/ada/engine && codex resume ${conversation}\n`);
  });

  test("prints the command of the client whose hook reported the conversation", async () => {
    const text = await shown({ client: { name: "codex" }, project: "/home/ada/engine", conversation });
    expect(text).toContain(`  cd /home/ada/engine && codex resume ${conversation}\n`);
  });

  test("prints how to resume the latest conversation of the folder, and says that it may be a different one", async () => {
    const text = await shown({ client: { name: "codex-mcp-client" }, project: "/home/ada/engine" });
    expect(text).toMatch(/which may be a different one, run:\n {2}cd \/home\/ada\/engine && codex resume --last\n/);
  });

  test("says if no command is known, and puts nothing into a command that an agent made up", async () => {
    expect(await shown({ client: { name: "some-client" } })).toContain("its conversation is unknown");
    const hostile = await shown({ client: { name: "claude-code" }, project: "/tmp/x\u001b[2J", conversation: "x; rm -rf ~" });
    expect(hostile).not.toContain("rm -rf");
    expect(hostile).not.toContain("claude --");
  });

  test("prints no command while it waits, or once it has the answer", async () => {
    const inbox = await openInbox();
    const waiting = await askedBy(inbox, { client: { name: "claude-code" }, conversation });
    expect((await inbox.run(["show", waiting])).stdout).not.toContain("claude --resume");
    const gone = await askedBy(inbox, { client: { name: "claude-code" }, conversation, agentId: "b" }, { leaves: true });
    await inbox.desk.answer(gone, { answers: [{ questionId: "q", values: ["Blue"] }] });
    expect((await inbox.run(["show", gone], { columns: 200 })).stdout).toContain("claude --resume");
    await deliver(inbox.asker, gone);
    expect((await inbox.run(["show", gone], { columns: 200 })).stdout).not.toContain("claude --resume");
  });
});
