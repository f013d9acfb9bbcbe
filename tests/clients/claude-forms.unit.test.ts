import { approvalSources } from "@askbox/clients";
import { describe, expect, test } from "vitest";
import { openHub } from "./support/approvals-hub.ts";
import { claudeEvents } from "./support/claude-events.ts";

const form = claudeEvents.form;
const undecided = { status: 204, decision: undefined };
/** As the hook sends it if nobody sits at Claude Code. */
const headless = (event: object) => ({ ...event, askbox: { branch: "main", isAttended: false } });
const withFields = (properties: object, required: string[] = []) =>
  headless({ ...form, requested_schema: { type: "object", properties, required } });

/** A hub, and what it responds to Claude Code. */
async function openForms() {
  const hub = await openHub();
  const settle = async (how: (id: string) => Promise<unknown>) => how((await hub.only("pending")).id);
  return {
    ...hub,
    action: async (event: object) => (await hub.send(event)).decision?.hookSpecificOutput,
    settle,
    fill: (answers: { questionId: string; values: string[] }[]) => settle((id) => hub.desk.answer(id, { answers })),
  };
}

describe("a form of an MCP server in Claude Code", () => {
  test("is shown with its server, and returns to it as it was filled in", async () => {
    const { action, fill, only } = await openForms();
    const asked = action(headless(form));
    expect(await only("pending")).toMatchObject({
      title: "github asks: Where should the issue go?",
      asker: { client: { name: "claude-code" }, agentId: "mcp:github", project: "/home/ada/engine", branch: "main" },
      questions: [
        { id: "repository", type: "select", options: [{ value: "engine" }, { value: "mill" }], required: true },
        { id: "copies", type: "rating", max: 5, required: false },
        { id: "private", type: "confirm", required: false },
      ],
    });
    await fill([
      { questionId: "repository", values: ["mill"] },
      { questionId: "copies", values: ["3"] },
      { questionId: "private", values: ["yes"] },
    ]);
    expect(await asked).toEqual({
      hookEventName: "Elicitation",
      action: "accept",
      content: { repository: "mill", copies: 3, private: true },
    });
  });

  test("is declined with a reason, cancelled without one, and declined by a no if it has no fields", async () => {
    const { action, desk, fill, only, settle } = await openForms();
    const declined = action(headless(form));
    await settle((id) => desk.cancel(id, { reason: "Not now" }));
    expect(await declined).toEqual({ hookEventName: "Elicitation", action: "decline" });
    const cancelled = action(headless(form));
    await settle((id) => desk.cancel(id));
    expect(await cancelled).toEqual({ hookEventName: "Elicitation", action: "cancel" });
    const asked = action(withFields({}));
    const [question] = (await only("pending")).questions;
    await fill([{ questionId: question?.id ?? "", values: ["no"] }]);
    expect(await asked).toEqual({ hookEventName: "Elicitation", action: "decline" });
  });

  test("with more fields than a session takes comes in parts, and counts only as a whole", async () => {
    const { action, clock, desk, fill, only, settle } = await openForms();
    const names = Array.from({ length: 12 }, (_, index) => `field ${index + 1}`);
    const event = withFields(Object.fromEntries(names.map((name) => [name, { type: "string" }])));
    const fillPart = async (part: readonly string[]) => {
      await expect.poll(async () => (await only("pending")).questions.map(({ id }) => id)).toEqual(part);
      await fill(part.map((questionId) => ({ questionId, values: [questionId.toUpperCase()] })));
    };
    const asked = action(event);
    await fillPart(names.slice(0, 10));
    await fillPart(names.slice(10));
    expect(await asked).toMatchObject({ action: "accept", content: { "field 1": "FIELD 1", "field 12": "FIELD 12" } });

    const half = action(event);
    await fillPart(names.slice(0, 10));
    await settle(async () => {});
    await clock.advance(1_800_000);
    expect(await half).toBeUndefined();
    expect((await desk.list({ statuses: ["timed_out"] })).items).toHaveLength(1);
  });

  test("is left out where the person skips, whatever its default and however long its message", async () => {
    const { action, fill, only } = await openForms();
    const event = { ...withFields({ delete_backups: { type: "boolean", default: true } }), message: "x".repeat(1_000) };
    const asked = action(event);
    const [question] = (await only("pending")).questions;
    expect(question).toMatchObject({ id: "delete_backups", required: false, suggestion: "yes" });
    await fill([{ questionId: "delete_backups", values: [] }]);
    expect(await asked).toEqual({ hookEventName: "Elicitation", action: "accept", content: {} });
  });

  test("stays with Claude Code if a required text was answered with a file alone, which a form can't return", () => {
    const [source] = approvalSources.filter(({ path }) => path === "/hooks/claude-code");
    const ask = source?.read(withFields({ name: { type: "string" } }, ["name"]));
    if (ask?.kind !== "form") throw new Error("It is no form.");
    const files = [{ name: "a.txt", mimeType: "text/plain", size: 1, sha256: "a".repeat(64) }];
    expect(ask.reply({ kind: "answered", answers: [{ questionId: "name", values: [], files }] })).toBeUndefined();
    expect(ask.reply({ kind: "cancelled", reason: undefined })).toBeDefined();
  });

  test("tells a person who asks something back that a program asks, and waits on", async () => {
    const { action, desk, fill, only } = await openForms();
    const asked = action(withFields({ name: { type: "string" } }));
    const { id } = await only("pending");
    await desk.askBack(id, { text: "Which name?" });
    await expect.poll(async () => (await desk.get(id)).thread?.at(-1)?.text).toContain("comes from a program");
    await fill([{ questionId: "name", values: ["Ada"] }]);
    expect(await asked).toMatchObject({ action: "accept", content: { name: "Ada" } });
  });

  test.each([
    ["a page to open", { ...form, mode: "url", url: "https://example.com", requested_schema: undefined }],
    ["one of askbox's own server, which is in the inbox already", { ...form, mcp_server_name: "askbox" }],
    ["one of the server of askbox's plugin", { ...form, mcp_server_name: "plugin:askbox:askbox" }],
    ["a field that no form can show", withFields({ nested: { type: "object", properties: {} } })],
    ["references", withFields({ a: { $ref: "#/$defs/a" } })],
    [
      "more fields than a person would fill in",
      withFields(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, { type: "string" }]))),
    ],
    ["a constraint that no question checks", withFields({ name: { type: "string", pattern: "^[a-z]+$" } })],
    ["numbers to choose from, which would come back as texts", withFields({ level: { type: "integer", enum: [1, 2, 3] } })],
    ["a condition between its fields", headless({ ...form, requested_schema: { type: "object", properties: {}, minProperties: 1 } })],
    ["bounds that nothing fits", withFields({ name: { type: "string", minLength: 5, maxLength: 2 } })],
    ["more choices than a person can look through", withFields({ it: { type: "string", enum: Array.from({ length: 1_001 }, String) } })],
    ["no schema", { ...form, requested_schema: undefined }],
  ])("stays with Claude Code if it has %s", async (_what, event) => {
    const { send, desk } = await openForms();
    expect(await send(event)).toEqual(undecided);
    expect((await desk.list({ statuses: ["pending", "cancelled"] })).items).toEqual([]);
  });

  test("waits five seconds in the terminal, or as long as an inbox is open, and then stays with Claude Code", async () => {
    const { clock, only, send, unwatch } = await openForms();
    const asked = send(form);
    await only("pending");
    await clock.advance(60_000);
    await only("pending");
    unwatch();
    await clock.advance(5_000);
    expect(await asked).toEqual(undecided);
    expect((await only("cancelled")).outcome).toMatchObject({ by: { surface: "asker" } });
  });

  test("waits for its whole time if nobody sits at Claude Code", async () => {
    const { clock, only, send, unwatch } = await openForms();
    unwatch();
    const asked = send(headless(form));
    await only("pending");
    await clock.advance(1_799_000);
    await only("pending");
    await clock.advance(1_000);
    expect(await asked).toEqual(undecided);
  });

  test.each([
    ["its turn ends", claudeEvents.stop],
    ["the session ends", claudeEvents.sessionEnd],
  ])("is withdrawn when %s, but not while another agent of the session runs", async (_when, event) => {
    const { only, send } = await openForms();
    const asked = send(headless(form));
    await only("pending");
    await send({ ...claudeEvents.stop, background_tasks: [{ id: "b1", type: "subagent" }] });
    await send(claudeEvents.subagentStop);
    await send(claudeEvents.ran);
    await only("pending");
    await send(event);
    expect(await asked).toEqual(undecided);
    await only("cancelled");
  });

  test("is withdrawn when its hook ends, and what was answered of it is given to no agent", async () => {
    const { broker, desk, fill, only, send } = await openForms();
    const gone = new AbortController();
    const names = Array.from({ length: 11 }, (_, index) => `field ${index + 1}`);
    const event = withFields(Object.fromEntries(names.map((name) => [name, { type: "string" }])));
    send(event, { signal: gone.signal }).catch(() => {});
    await only("pending");
    await fill(names.slice(0, 10).map((questionId) => ({ questionId, values: ["a"] })));
    await expect.poll(async () => (await only("pending")).questions).toHaveLength(1);
    const { id } = await only("pending");
    gone.abort();
    await only("cancelled");
    await expect(desk.answer(id, { answers: [] })).rejects.toMatchObject({ code: "SESSION_CLOSED" });
    const agent = broker.asker("one");
    const { earlier } = await agent.collect({ client: { name: "claude-code" }, project: "/home/ada/engine" });
    expect(earlier).toEqual([]);
  });
});
