import type { QuestionOf } from "@askbox/core";
import { actionParts } from "@askbox/core/questions";
import { expect, test } from "vitest";
import { openHub } from "./support/approvals-hub.ts";
import { claudeEvents } from "./support/claude-events.ts";
import { codexEvents } from "./support/codex-events.ts";
import { codexRequests, codexThread } from "./support/codex-socket-messages.ts";
import { opencodeEvents } from "./support/opencode-events.ts";

const undecided = { status: 204, decision: undefined };
const promptTool = { ...claudeEvents.command, askbox: { isPromptTool: true } };

test("what a person allows is allowed, with the arguments they changed", async () => {
  const { send, answer, only } = await openHub();
  const first = send(claudeEvents.command);
  const view = await only("pending");
  expect(view).toMatchObject({
    title: "Bash: touch proof.txt",
    asker: { client: { name: "claude-code" }, project: "/home/ada/engine", conversation: claudeEvents.command.session_id },
  });
  await answer(["allow"]);
  expect(await first).toEqual({ status: 200, decision: { behavior: "allow" } });
  const second = send(claudeEvents.command);
  await answer(["allow"], { input: { command: "touch other.txt" } });
  expect((await second).decision).toEqual({ behavior: "allow", updatedInput: { command: "touch other.txt", description: "Make proof" } });
});

test("a folder's name is the one that it has on the machine of the hook", async () => {
  const folder = async (path: string) => path.replace("/home/ada", "/data/ada");
  const { desk, hub, only, url } = await openHub(undefined, { folder, allowedHosts: ["hub.example"] });
  const { host: here } = new URL(url);
  const projectOf = async (host: string, more: object = {}) => {
    const asked = hub.fetch(
      new Request(`http://${host}/hooks/claude-code`, {
        method: "POST",
        headers: { authorization: "Bearer abx_asker", host },
        body: JSON.stringify({ ...claudeEvents.command, ...more }),
      }),
    );
    const { id, asker } = await only("pending");
    await desk.cancel(id, { reason: "Enough" });
    await asked;
    return asker.project;
  };
  expect(await projectOf(here)).toBe("/data/ada/engine");
  // The hook's command has asked its own machine.
  expect(await projectOf(here, { askbox: { branch: "main" } })).toBe("/home/ada/engine");
  expect(await projectOf("hub.example")).toBe("/home/ada/engine");
});

test.each([
  ["github.com/acme/engine", "github.com/acme/engine"],
  ["x".repeat(501), undefined],
  [{ toString: "x" }, undefined],
])("the relay says which repository it is about: %j", async (repository, kept) => {
  const { desk, only, send } = await openHub();
  const asked = send({ ...claudeEvents.command, askbox: { branch: "main", repository } });
  const { id, asker } = await only("pending");
  await desk.cancel(id);
  await asked;
  expect(asker).toMatchObject({ branch: "main" });
  expect(asker.repository).toBe(kept);
});

test("what the client reports to have run is compared with what was allowed", async () => {
  const { send, answer, only, warnings } = await openHub();
  const allow = async (event: object, input?: Record<string, unknown>) => {
    const asked = send(event);
    const { id } = await only("pending");
    await answer(["allow"], { input });
    await asked;
    return id;
  };
  const ran = (command: string) => ({ ...claudeEvents.ran, tool_input: { description: "Make proof", command } });
  await allow(claudeEvents.command);
  await send(claudeEvents.ran);
  await allow(claudeEvents.command, { command: "touch other.txt" });
  await send(ran("touch other.txt"));
  await send(claudeEvents.stop);
  expect(warnings).toEqual([]);

  const changed = await allow(claudeEvents.command);
  await allow(claudeEvents.subagent);
  await send(ran("touch elsewhere.txt"));
  await send(claudeEvents.stop);
  await send(claudeEvents.stop);
  expect(warnings).toEqual([`An allowed action was not reported to have run with the arguments that were shown ${changed}`]);
});

test("what ran at the client although it was denied is added to its history and to the record, once", async () => {
  const { broker, desk, send, answer, only, warnings } = await openHub();
  const denied = send(claudeEvents.command);
  const { id } = await only("pending");
  await answer(["deny"], { customText: "Not this one" });
  await denied;
  await send({ ...claudeEvents.ran, session_id: "another" });
  await send({ ...claudeEvents.ran, tool_input: { command: "touch other.txt" } });
  expect((await desk.get(id)).thread).toBeUndefined();
  await send(claudeEvents.ran);
  await send(claudeEvents.ran);
  const text = "Ran by Claude Code's own prompt or rules, although it was denied here.";
  await expect.poll(async () => (await desk.get(id)).thread).toMatchObject([{ text, by: { surface: "asker", name: "claude-code" } }]);
  const entries = (await broker.audit.list(0, 10)).map(({ line }) => JSON.parse(line));
  expect(entries).toMatchObject([
    { event: "decided", session: id, outcome: { kind: "answered" } },
    { event: "reported", session: id, outcome: { kind: "answered" }, report: text },
  ]);
  // A turn later it is another command.
  const again = send(claudeEvents.command);
  await answer(["deny"]);
  await again;
  await send(claudeEvents.stop);
  await send(claudeEvents.ran);
  expect(await broker.audit.list(0, 10)).toHaveLength(3);
  expect(warnings).toEqual([]);
});

test("a Codex request that its own prompt settled before an answer here says so", async () => {
  const { broker, desk, send, only, answer } = await openHub("/hooks/codex/socket");
  const { id: session, cwd: folder } = codexThread;
  const request = { session, askbox: { folder }, ...codexRequests.command };
  const asked = send({ type: "request", ...request });
  const { id } = await only("pending");
  await answer(["allow"]);
  expect((await asked).decision).toEqual({ isAllowed: true });
  await send({ type: "settled", ...request });
  const text = "Codex' own prompt decided this first, so the answer given here had no effect.";
  await expect.poll(async () => (await desk.get(id)).thread).toMatchObject([{ text }]);
  expect(await broker.audit.list(0, 10)).toHaveLength(2);
});

test("a plan is known by its session and tool, whose report has no arguments", async () => {
  const { send, answer, only, warnings } = await openHub();
  const { tool_name } = claudeEvents.plan;
  const ran = { ...claudeEvents.ran, tool_name, tool_input: {} };
  const atTheClient = send(claudeEvents.plan);
  await only("pending");
  await send(ran);
  expect(await atTheClient).toEqual(undecided);
  expect((await only("cancelled")).outcome).toMatchObject({ by: { surface: "asker" }, reason: "It was allowed in Claude Code itself." });
  const here = send(claudeEvents.plan);
  await answer(["allow"], { input: { plan: "# A shorter plan" } });
  expect((await here).decision).toMatchObject({ behavior: "allow" });
  await send(ran);
  await send(claudeEvents.stop);
  expect(warnings).toEqual([]);
});

test("what a person denies is denied, and the agent is told why", async () => {
  const { send, answer, desk, only } = await openHub();
  const denied = send(claudeEvents.command);
  await answer(["deny"], { customText: "Use the other file" });
  expect((await denied).decision).toEqual({
    behavior: "deny",
    message: "A person denied this in askbox, and it was not run. Their words: Use the other file",
  });
  const turnedDown = send(claudeEvents.command);
  await desk.cancel((await only("pending")).id, { reason: "Not today" });
  expect((await turnedDown).decision).toEqual({
    behavior: "deny",
    message: "A person denied this in askbox, and it was not run. Their words: Not today",
  });
});

test("what a person grants is allowed again without asking, until it is revoked", async () => {
  const { broker, send, answer, only } = await openHub();
  const first = send(claudeEvents.command);
  await answer(["project"]);
  expect((await first).decision).toEqual({ behavior: "allow" });
  expect((await send(claudeEvents.command)).decision).toEqual({ behavior: "allow" });
  const [grant] = await broker.grants.list();
  await broker.grants.remove(grant?.id ?? "");
  const third = send(claudeEvents.command);
  await only("pending");
  await answer(["deny"]);
  expect((await third).decision).toMatchObject({ behavior: "deny" });
});

/** Like a client that writes other numbers than JavaScript can. */
const written = (event: object, input: string) => JSON.stringify({ ...event, tool_input: "INPUT" }).replace('"INPUT"', input);

test("arguments are shown, granted and released to the last digit", async () => {
  const { send, answer, only } = await openHub();
  const large = '{"id":9007199254740993,"rate":1e999,"__proto__":{"admin":true},"part":1.0}';
  const first = send(written(claudeEvents.mcpTool, large));
  const [question] = (await only("pending")).questions as [QuestionOf<"approval">];
  const shown = 'id: 9007199254740993\nrate: 1e999\n__proto__: {\n│   "admin": true\n│ }\npart: 1.0';
  expect(actionParts(question.action).find(({ name }) => name === "arguments")?.text).toBe(shown);
  await answer(["project"]);
  expect((await first).decision).toEqual({ behavior: "allow" });
  expect((await send(written(claudeEvents.mcpTool, large))).decision).toEqual({ behavior: "allow" });
  for (const [part, other] of [
    ["993", "992"],
    ["1e999", "null"],
    [',"__proto__":{"admin":true}', ""],
    ["1.0", "1"],
    ["true", "false"],
  ]) {
    const asked = send(written(claudeEvents.mcpTool, large.replace(part as string, other as string)));
    await only("pending");
    await answer(["deny"]);
    expect((await asked).decision).toMatchObject({ behavior: "deny" });
  }
});

test("a plan's arguments are returned as they came, and an object that uses a name twice is left to the client", async () => {
  const { send, answer, url } = await openHub();
  const input = '{"plan":"# My plan","budget":9007199254740993}';
  const body = written(claudeEvents.plan, input);
  const asked = fetch(`${url}/hooks/claude-code`, { method: "POST", headers: { authorization: "Bearer abx_asker" }, body });
  await answer(["allow"]);
  expect(await (await asked).text()).toContain(`"updatedInput":${input}`);
  expect(await send(written(claudeEvents.mcpTool, '{"title":"a","title":"b"}'))).toEqual(undecided);
});

test("a tool without arguments is asked about like any other", async () => {
  const { send, answer, only } = await openHub();
  for (const tool_input of [{}, undefined, null]) {
    const asked = send({ ...claudeEvents.mcpTool, tool_name: "mcp__db__reset", tool_input });
    expect(await only("pending")).toMatchObject({ questions: [{ action: { tool: "mcp__db__reset" } }] });
    await answer(["allow"]);
    expect((await asked).decision).toEqual({ behavior: "allow" });
  }
});

test("a timeout decides nothing, and the client's own prompt appears", async () => {
  const { clock, send, only } = await openHub();
  const asked = send(claudeEvents.command);
  const { deadlineAt, createdAt } = await only("pending");
  await clock.advance((deadlineAt ?? 0) - createdAt);
  expect(await asked).toEqual(undecided);
});

test("closing the hub decides nothing", async () => {
  const { hub, send, only } = await openHub();
  const asked = send(claudeEvents.command);
  await only("pending");
  await hub.close();
  expect(await asked).toEqual(undecided);
});

test("a request is withdrawn when the client goes away, so that it cannot be allowed too late", async () => {
  const { send, only } = await openHub();
  const gone = new AbortController();
  const asked = send(claudeEvents.command, { signal: gone.signal });
  const { id } = await only("pending");
  gone.abort();
  await expect(asked).rejects.toThrow();
  expect(await only("cancelled")).toMatchObject({ id, outcome: { by: { surface: "asker" } } });
});

test.each([
  ["ran after a yes at the client", claudeEvents.command, claudeEvents.ran],
  ["belongs to an agent that has stopped", claudeEvents.command, claudeEvents.stop],
  ["belongs to an agent in the background that has stopped", claudeEvents.subagent, claudeEvents.subagentStop],
  ["belongs to a session that has ended", claudeEvents.subagent, claudeEvents.sessionEnd],
])("a request that %s is withdrawn", async (_what, event, sign) => {
  const { send, only } = await openHub();
  const asked = send(event);
  await only("pending");
  expect(await send(sign)).toEqual(undecided);
  expect(await asked).toEqual(undecided);
  expect(await only("cancelled")).toMatchObject({ outcome: { by: { surface: "asker" } } });
});

test("an event about another run, agent or conversation changes nothing", async () => {
  const { send, only, answer } = await openHub();
  const asked = send(claudeEvents.command);
  await only("pending");
  await send({ ...claudeEvents.ran, tool_input: { command: "touch other.txt" } });
  await send(claudeEvents.subagentStop);
  await send({ ...claudeEvents.sessionEnd, session_id: "another" });
  await answer(["allow"]);
  expect((await asked).decision).toEqual({ behavior: "allow" });
});

test("an agent in the background waits a few seconds for a person who is not present", async () => {
  const { clock, send, only, unwatch } = await openHub();
  const asked = send(claudeEvents.subagent, { headers: { "askbox-entrypoint": "cli" } });
  await only("pending");
  await clock.advance(60_000);
  expect((await only("pending")).status).toBe("pending");
  unwatch();
  await clock.advance(5_000);
  expect(await asked).toEqual(undecided);
});

test.each([
  ["a subagent without a terminal", "/hooks/claude-code", { ...claudeEvents.subagent, askbox: { isAttended: false } }],
  ["the same with http hooks", "/hooks/claude-code", claudeEvents.subagent, { "askbox-entrypoint": "sdk-cli" }],
  ["a tool of an MCP server in `codex exec`", "/hooks/codex", { ...codexEvents.mcpTool, permission_mode: "bypassPermissions" }],
] as [what: string, path: string, event: object, headers?: Record<string, string>][])(
  "%s waits for an absent person, since no prompt follows",
  async (_what, path, event, headers = {}) => {
    const { clock, send, answer, only, unwatch } = await openHub(path);
    unwatch();
    const asked = send(event, { headers });
    await only("pending");
    await clock.advance(60_000);
    await answer(["allow"]);
    expect((await asked).decision).toEqual({ behavior: "allow" });
  },
);

test("a subagent's request that the prompt tool asks as well keeps its card", async () => {
  const { clock, send, only, unwatch, desk } = await openHub();
  unwatch();
  const hook = send(claudeEvents.subagent);
  const { id } = await only("pending");
  const prompt = send(promptTool);
  const third = send({ ...promptTool, tool_input: { command: "touch other.txt" } });
  await expect.poll(async () => (await desk.list({ statuses: ["pending"] })).items.length).toBe(2);
  await clock.advance(60_000);
  expect((await desk.get(id)).status).toBe("pending");
  for (const view of (await desk.list({ statuses: ["pending"] })).items) {
    await desk.answer(view.id, { answers: [{ questionId: view.questions[0]?.id ?? "", values: ["allow"] }] });
  }
  for (const one of [hook, prompt, third]) expect((await one).decision).toEqual({ behavior: "allow" });
  expect((await desk.list()).items).toHaveLength(2);
});

test("hook and prompt tool share a decision only for one call of one agent in one folder", async () => {
  const { send, desk } = await openHub();
  const pending = async () => (await desk.list({ statuses: ["pending"] })).items;
  const events = [
    claudeEvents.command,
    { ...promptTool, cwd: "/home/ada/other" },
    { ...promptTool, agent_id: "another" },
    promptTool,
    // The hook's card is already shared.
    promptTool,
  ];
  for (const [index, cards] of [1, 2, 3, 3, 4].entries()) {
    void send(events[index]);
    await expect.poll(async () => (await pending()).length).toBe(cards);
  }
  // Two agents ask the same: nobody knows for which of them the prompt tool asks.
  void send({ ...claudeEvents.command, cwd: "/home/ada/third" });
  void send({ ...claudeEvents.subagent, cwd: "/home/ada/third" });
  await expect.poll(async () => (await pending()).length).toBe(6);
  void send({ ...promptTool, cwd: "/home/ada/third" });
  await expect.poll(async () => (await pending()).length).toBe(7);
});

test("anything malformed, too large, a question, or from askbox's own tools is left to the client", async () => {
  const { send, desk, logged } = await openHub();
  const large = { ...claudeEvents.command, tool_input: { command: "x".repeat(204_800) } };
  const huge = { ...claudeEvents.command, tool_input: { command: "x".repeat(2_000_000) } };
  const wide = { ...claudeEvents.mcpTool, tool_input: { list: Array.from({ length: 30_000 }, () => 1) } };
  for (const event of ["{", "null", claudeEvents.question, claudeEvents.ownTool, large, huge, wide])
    expect(await send(event)).toEqual(undecided);
  expect((await desk.list()).items).toEqual([]);
  const tooLarge = "A request is too large to show completely; its client decides";
  const unread = "A client's event could not be read, since it is not JSON or uses a name twice; its client decides";
  expect(logged).toEqual([unread, unread, "A request was left to its client", tooLarge, tooLarge]);
});

test("an event may begin with a byte order mark", async () => {
  const { send, answer } = await openHub();
  const asked = send(`\uFEFF${JSON.stringify(claudeEvents.command)}`);
  await answer(["allow"]);
  expect((await asked).status).toBe(200);
});

test("only a token that may ask is accepted", async () => {
  const { send } = await openHub();
  expect((await send(claudeEvents.command, { token: "abx_other" })).status).toBe(401);
  expect((await send(claudeEvents.command, { token: "abx_desk" })).status).toBe(403);
});

test.each([
  ["the hook first", claudeEvents.command, promptTool],
  ["the prompt tool first", promptTool, claudeEvents.command],
])("a request from both the hook and the prompt tool is asked once, %s", async (_which, first, second) => {
  const { send, only, answer, desk } = await openHub();
  const one = send(first);
  await only("pending");
  const other = send(second);
  // A third one, which is asked, proves that the second has been read.
  const third = send({ ...second, tool_input: { command: "touch other.txt" } });
  await expect.poll(async () => (await desk.list({ statuses: ["pending"] })).items.length).toBe(2);
  const { items } = await desk.list({ statuses: ["pending"] });
  for (const { id, questions } of items) await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["allow"] }] });
  const allowed = { status: 200, decision: { behavior: "allow" } };
  expect(await Promise.all([one, other, third])).toEqual([allowed, allowed, allowed]);
  const again = send(first);
  await answer(["deny"]);
  expect((await again).decision).toMatchObject({ behavior: "deny" });
});

test("two requests from hooks are two, even if they are equal", async () => {
  const { send, desk } = await openHub();
  const both = [send(claudeEvents.command), send({ ...claudeEvents.command, prompt_id: "another" })];
  await expect.poll(async () => (await desk.list({ statuses: ["pending"] })).items.length).toBe(2);
  for (const { id, questions } of (await desk.list({ statuses: ["pending"] })).items)
    await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["deny"] }] });
  for (const one of both) expect((await one).decision).toMatchObject({ behavior: "deny" });
});

test("if the hook is killed, the prompt tool asks itself; once the command has run, neither does", async () => {
  const { send, only, answer, desk } = await openHub();
  const gone = new AbortController();
  const hook = send(claudeEvents.command, { signal: gone.signal });
  await only("pending");
  const prompt = send(promptTool);
  gone.abort();
  await expect(hook).rejects.toThrow();
  await only("cancelled");
  await answer(["allow"]);
  expect((await prompt).decision).toEqual({ behavior: "allow" });
  await send(claudeEvents.ran);
  const both = [send(claudeEvents.command), send(promptTool)];
  await only("pending");
  await send(claudeEvents.ran);
  expect(await Promise.all(both)).toEqual([undecided, undecided]);
  expect((await desk.list({ statuses: ["pending"] })).items).toEqual([]);
});

test("Codex only receives decisions of a person or their grant", async () => {
  const { clock, send, answer, only, unwatch } = await openHub("/hooks/codex");
  const denied = send(codexEvents.command);
  expect(await only("pending")).toMatchObject({ asker: { client: { name: "codex" }, project: "/home/ada/engine" } });
  await answer(["deny"], { customText: "Use the other file" });
  expect((await denied).decision).toEqual({
    behavior: "deny",
    message: "A person denied this in askbox, and it was not run. Their words: Use the other file",
  });
  const granted = send(codexEvents.patch);
  await answer(["project"]);
  expect((await granted).decision).toEqual({ behavior: "allow" });
  expect((await send(codexEvents.patch)).decision).toEqual({ behavior: "allow" });
  const asked = send(codexEvents.command);
  await only("pending");
  await clock.advance(60_000);
  expect((await only("pending")).status).toBe("pending");
  unwatch();
  await clock.advance(5_000);
  expect(await asked).toEqual(undecided);
});

test("a Codex request is withdrawn when its hook is killed, and left to Codex when the hub closes", async () => {
  const { hub, send, only } = await openHub("/hooks/codex");
  const gone = new AbortController();
  const killed = send(codexEvents.command, { signal: gone.signal });
  const { id } = await only("pending");
  gone.abort();
  await expect(killed).rejects.toThrow();
  expect(await only("cancelled")).toMatchObject({ id, outcome: { by: { surface: "asker" } } });
  const asked = send(codexEvents.patch);
  await only("pending");
  await hub.close();
  expect(await asked).toEqual(undecided);
});

test("OpenCode only receives decisions of a person or their grant", async () => {
  const { desk, hub, send, answer, only } = await openHub("/hooks/opencode");
  const event = { ...opencodeEvents.command, askbox: { folder: "/home/ada/engine" } };
  const denied = send(event);
  expect(await only("pending")).toMatchObject({ asker: { client: { name: "opencode" }, project: "/home/ada/engine" } });
  await answer(["deny"], { customText: "Use the other file" });
  expect((await denied).decision).toEqual({
    reply: "reject",
    message: "A person denied this in askbox, and it was not run. Their words: Use the other file",
  });
  const turnedDown = send(event);
  await desk.cancel((await only("pending")).id);
  expect((await turnedDown).decision).toEqual({ reply: "reject", message: "A person denied this in askbox, and it was not run." });
  const granted = send(event);
  await answer(["project"]);
  expect((await granted).decision).toEqual({ reply: "once" });
  expect((await send(event)).decision).toEqual({ reply: "once" });
  const asked = send({ ...opencodeEvents.edit, askbox: { folder: "/home/ada/engine" } });
  await only("pending");
  await hub.close();
  expect(await asked).toEqual(undecided);
});
