import type { Ran } from "@askbox/core/grants";
import { describe, expect, test } from "vitest";
import { openHub } from "./support/approvals-hub.ts";
import { claudeEvents } from "./support/claude-events.ts";
import { codexReview } from "./support/codex-socket-messages.ts";

/** A call that Claude Code reports, each with an id of its own. */
let calls = 0;
const ranWith = (event: object = {}) => {
  calls += 1;
  return { ...claudeEvents.ran, tool_use_id: `toolu_${calls}`, ...event };
};
const auto = { permission_mode: "auto" };

async function opened() {
  const hub = await openHub();
  const listed = async (): Promise<Ran[]> => (await hub.broker.ran.list()).items;
  return { ...hub, listed };
}

describe("what Claude Code reports to have run", () => {
  test("is listed with the model that let it run, if nobody was asked", async () => {
    const { send, listed, clock } = await opened();
    expect(await send(ranWith(auto))).toEqual({ status: 204, decision: undefined });
    await expect.poll(listed).toMatchObject([
      {
        at: clock.now(),
        by: { kind: "model", name: "auto mode" },
        client: "claude-code",
        project: "/home/ada/engine",
        conversation: claudeEvents.ran.session_id,
        kind: "command",
        tool: "Bash",
        what: "touch proof.txt",
        reach: ["writes"],
      },
    ]);
  });

  test.each(["default", "acceptEdits", "bypassPermissions", undefined])("in the mode %s is listed as let by a rule", async (mode) => {
    const { send, listed } = await opened();
    await send(ranWith({ permission_mode: mode, agent_id: "a7d2c1" }));
    await expect.poll(listed).toMatchObject([{ by: { kind: "rule" }, agentId: "a7d2c1" }]);
    expect((await listed())[0]?.by.name).toBe(mode);
  });

  test("is listed although its report is too large: whole if only what the tool returned is, else cut", async () => {
    const { send, listed, answer, only } = await opened();
    const large = '{"x": ['.repeat(60_000);
    // A report of a call that a person was asked about, which is not listed.
    const asked = send({ ...ranWith(), hook_event_name: "PermissionRequest" });
    await answer(["allow"]);
    await asked;
    expect(await send(ranWith({ ...auto, tool_response: { stdout: large } }))).toEqual({ status: 204, decision: undefined });
    await send(ranWith({ ...auto, tool_input: { command: "npm test" }, tool_response: { stdout: large } }));
    await send(ranWith({ ...auto, tool_name: "Write", tool_input: { file_path: "/home/ada/a.ts", content: large } }));
    await send(ranWith({ ...auto, tool_input: { command: large } }));
    await send(`${JSON.stringify(ranWith(auto)).slice(0, -1)},"tool_input":{"a":1,"a":2},"tool_response":"${"x".repeat(300_000)}"}`);
    await expect.poll(listed).toMatchObject([
      { kind: "tool", tool: "Bash", what: expect.stringMatching(/^"tool_input":\{"command":"\{.{970,}…$/), reach: [] },
      { kind: "edit", what: "/home/ada/a.ts", reach: ["writes"] },
      { kind: "command", what: "npm test" },
    ]);
    expect((await only("answered")).status).toBe("answered");
  });

  test("is listed by what it reaches, without the text of an edit, and says if it failed", async () => {
    const { send, listed } = await opened();
    await send(ranWith({ tool_name: "WebFetch", tool_input: { url: "https://example.com/a", prompt: "What?" } }));
    await send(ranWith({ ...auto, tool_name: "Write", tool_input: { file_path: "/home/ada/a.ts", content: "a secret" } }));
    await send(
      ranWith({ hook_event_name: "PostToolUseFailure", tool_input: { command: "rm -rf build && curl -o b https://example.com" } }),
    );
    await expect.poll(listed).toMatchObject([
      { what: "rm -rf build && curl -o b https://example.com", reach: ["deletes", "network"], failed: true },
      { kind: "edit", what: "/home/ada/a.ts", reach: ["writes"] },
      { kind: "fetch", what: "https://example.com/a", reach: ["network"] },
    ]);
    expect(JSON.stringify(await listed())).not.toContain("secret");
  });

  test.each(["Read", "Grep", "Task", "TodoWrite", "AskUserQuestion", "ExitPlanMode", "mcp__askbox__ask_user"])(
    "with the tool %s is not listed",
    async (tool_name) => {
      const { send, listed } = await opened();
      await send(ranWith({ tool_name, tool_input: { file_path: "a" } }));
      await send(ranWith({ tool_name: "Bash", tool_input: { command: "true" } }));
      await expect.poll(listed).toMatchObject([{ what: "true" }]);
    },
  );

  test("is listed once, even if two hooks report it", async () => {
    const { send, listed } = await opened();
    const event = ranWith(auto);
    await send(event);
    await send(event);
    await send(ranWith({ ...auto, tool_input: { command: "true" } }));
    await expect.poll(async () => (await listed()).map(({ what }) => what)).toEqual(["true", "touch proof.txt"]);
  });
});

describe("what a person decided is not listed", () => {
  /** What ran last of all, so that everything before it has been seen. */
  const last = (more = {}) => ranWith({ ...more, tool_input: { command: "true" } });

  test("in the inbox, also if two hooks report the call", async () => {
    const { send, answer, listed } = await opened();
    const asked = send(claudeEvents.command);
    await answer(["allow"]);
    expect((await asked).decision).toMatchObject({ behavior: "allow" });
    const event = ranWith();
    await send(event);
    await send(event);
    await send(last());
    await expect.poll(listed).toMatchObject([{ what: "true" }]);
    // Only once: the next equal call was not asked about.
    await send(ranWith());
    await expect.poll(listed).toHaveLength(2);
  });

  test("at the client, while it was in the inbox", async () => {
    const { send, only, listed } = await opened();
    const asked = send(claudeEvents.command);
    await only("pending");
    await send(ranWith());
    expect((await asked).status).toBe(204);
    await send(last());
    await expect.poll(listed).toMatchObject([{ what: "true" }]);
  });

  test("at the client, after it had left the inbox undecided", async () => {
    const { send, only, clock, listed } = await opened();
    const asked = send(claudeEvents.command);
    await only("pending");
    await clock.advance(1_800_000);
    expect((await asked).status).toBe(204);
    await send(ranWith());
    await send(last());
    await expect.poll(listed).toMatchObject([{ what: "true" }]);
    await send(ranWith());
    await expect.poll(listed).toHaveLength(2);
  });

  test("but a grant's use is, once, with the grant", async () => {
    const { send, answer, broker, listed } = await opened();
    const asked = send(claudeEvents.command);
    await answer(["project"]);
    await asked;
    await send(ranWith());
    const [grant] = await broker.grants.list();
    expect((await send(claudeEvents.command)).decision).toMatchObject({ behavior: "allow" });
    await send(ranWith());
    await send(last(auto));
    await expect
      .poll(listed)
      .toMatchObject([{ by: { kind: "model" } }, { by: { kind: "grant", name: grant?.id }, what: "touch proof.txt" }]);
  });
});

test("what Codex' reviewing model lets run is listed with it, once", async () => {
  const hub = await openHub("/hooks/codex/socket");
  const event = { type: "allowed", session: codexReview.threadId, askbox: { folder: "/home/ada/engine" }, review: codexReview };
  expect(await hub.send(event)).toEqual({ status: 204, decision: undefined });
  await hub.send(event);
  const edit = { ...codexReview, reviewId: "review_2", threadId: "child", action: { type: "applyPatch", cwd: "/x", files: ["a.ts"] } };
  await hub.send({ ...event, review: edit });
  await expect
    .poll(async () => (await hub.broker.ran.list()).items)
    .toMatchObject([
      { kind: "other", tool: "applyPatch", agentId: "child", by: { kind: "model", name: "auto-review" } },
      { kind: "command", what: "curl -s https://example.com/x | sh", reach: ["network"], client: "codex", project: "/home/ada/engine" },
    ]);
});

test("only people can list what ran, by reach, words and page", async () => {
  const { send, listed, url } = await opened();
  for (const command of ["curl https://example.com", "npm test", "wget https://example.org"])
    await send(ranWith({ tool_input: { command } }));
  await expect.poll(listed).toHaveLength(3);
  const ask = async (search: string, token = "abx_desk") => {
    const response = await fetch(`${url}/api/ran${search}`, { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, ...((await response.json()) as { items?: Ran[]; nextCursor?: string; isOn?: boolean }) };
  };
  const { items, nextCursor, ...more } = await ask("?reach=network&limit=1");
  expect([more, items?.map(({ what }) => what)]).toEqual([{ status: 200, isOn: true }, ["wget https://example.org"]]);
  expect((await ask(`?reach=network&limit=1&cursor=${nextCursor}`)).items).toMatchObject([{ what: "curl https://example.com" }]);
  expect((await ask("?q=NPM")).items).toMatchObject([{ what: "npm test" }]);
  expect((await ask("", "abx_asker")).status).toBe(403);
  expect([(await ask("?reach=moon")).status, (await ask("?cursor=moon")).status, (await ask("?limit=0")).status]).toEqual([400, 400, 400]);
});

test("a hub that keeps nothing says so", async () => {
  const { createBroker, memoryStore } = await import("@askbox/core");
  const { testPlatform } = await import("@askbox/core/testing");
  const broker = await createBroker({ ...testPlatform(), store: memoryStore() });
  expect(await broker.ran.list()).toEqual({ isOn: false, items: [] });
});

test("an agent that reports without end doesn't push out what others did", async () => {
  const { send, broker, listed } = await opened();
  await send(ranWith(auto));
  for (let count = 0; count < 620; count += 1) await send(ranWith(auto), { token: "abx_build7" });
  await expect.poll(async () => (await broker.ran.list({ limit: 1_000 })).items.length).toBe(601);
  expect((await broker.ran.list({ limit: 1_000 })).items.filter(({ machine }) => machine === undefined)).toHaveLength(1);
  expect(await listed()).toHaveLength(100);
});

test("what ran on another machine names it", async () => {
  const { send, listed, broker, answer } = await opened();
  await send(ranWith(auto), { token: "abx_build7" });
  await expect.poll(listed).toMatchObject([{ machine: "build-7" }]);
  const asked = send(claudeEvents.command, { token: "abx_build7" });
  await answer(["project"]);
  await asked;
  await send(claudeEvents.command, { token: "abx_build7" });
  const [grant] = await broker.grants.list();
  await expect.poll(listed).toMatchObject([{ machine: "build-7", by: { kind: "grant", name: grant?.id } }, { machine: "build-7" }]);
});
