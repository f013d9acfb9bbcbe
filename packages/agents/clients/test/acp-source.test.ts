import { parseAsk } from "@askbox/core";
import { describe, expect, it } from "vitest";
import { acpSource } from "../src/approvals/acp.ts";

const options = [
  { optionId: "always", name: "Always allow every echo", kind: "allow_always" },
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
  { optionId: "never", name: "Never again", kind: "reject_always" },
];
const event = (toolCall: object, more: object = {}) => ({
  type: "permission",
  conversation: "s1",
  run: "one/1",
  agent: { name: "@agentclientprotocol/codex-acp", title: "Codex" },
  cwd: "/work",
  toolCall,
  options,
  ...more,
});
const read = (toolCall: object, more: object = {}) => {
  const ask = acpSource.read(event(toolCall, more));
  if (ask?.kind !== "ask") throw new Error("It isn't an ask.");
  const [question] = parseAsk({ title: ask.title, questions: [ask.question] }, { ids: { question: () => "q" } }).questions;
  if (question?.type !== "approval") throw new Error("It isn't an approval.");
  return { ask, question, action: question.action };
};

describe("a permission request of ACP", () => {
  it("is a command with its folder, and whatever else the agent sent among the arguments", () => {
    const { question, action, ask } = read({
      toolCallId: "c1",
      title: "Run the tests",
      kind: "execute",
      rawInput: { command: ["npm", "run", "a b"], cwd: "/work/sub", timeout: 5 },
      content: [{ type: "content", content: { type: "text", text: "Needs the network." } }],
    });
    expect(action).toEqual({
      kind: "command",
      tool: "execute",
      command: "npm run 'a b'",
      cwd: "/work/sub",
      title: "Run the tests",
      input: { command: "npm run 'a b'", timeout: 5, "the agent says": "Needs the network." },
    });
    expect(ask).toMatchObject({ client: "codex", conversation: "s1", cwd: "/work" });
    expect(question.agentOptions).toEqual([{ value: "agent:always", label: "Always allow every echo" }]);
  });

  it("is the title's command if there are no arguments, as of Gemini", () => {
    expect(read({ title: "touch proof.txt [in /work]", kind: "execute" }).action).toMatchObject({
      kind: "command",
      command: "touch proof.txt [in /work]",
    });
  });

  it("is a diff of all its files", () => {
    const diff = (path: string) => ({ type: "diff", path, oldText: null, newText: `${path}\n` });
    const { action } = read({
      title: "Write",
      kind: "edit",
      content: [diff("/a"), diff("/b")],
      rawInput: { file_path: "/a", content: "/a\n", mode: 7 },
    });
    expect(action).toMatchObject({ kind: "edit", diff: expect.stringMatching(/\+\/a\n(.*\n)*\+\/b\n/), input: { mode: 7 } });
    expect(action.path).toBeUndefined();
  });

  it("is a tool with its arguments, a plan, or an address", () => {
    expect(read({ title: "mcp__github__close", rawInput: { issue: 3 } }).action).toMatchObject({
      kind: "tool",
      tool: "mcp__github__close",
      title: "close of the MCP server github",
      input: { issue: 3 },
    });
    expect(read({ kind: "switch_mode", title: "Ready?", rawInput: { plan: "# Do it" } }).action).toMatchObject({
      kind: "plan",
      text: "# Do it",
    });
    expect(read({ kind: "fetch", rawInput: { url: "https://a.example" } }).action).toMatchObject({
      kind: "fetch",
      path: "https://a.example",
    });
  });

  it("keeps the agent's exact arguments from being named like our own values", () => {
    expect(read({ title: "x" }, { options: [{ optionId: "allow", name: "Deny", kind: "allow_always" }] }).question.agentOptions).toEqual([
      { value: "agent:allow", label: "Deny" },
    ]);
  });

  it("says which option was chosen, and the person's words", () => {
    const { ask } = read({ title: "x" });
    expect(acpSource.reply(ask, { kind: "allow", option: "agent:always" })).toEqual({ isAllowed: true, optionId: "always" });
    expect(acpSource.reply(ask, { kind: "allow" })).toEqual({ isAllowed: true });
    expect(acpSource.reply(ask, { kind: "deny", reason: "No." })).toEqual({ isAllowed: false, reason: "No." });
  });
});

describe("a form of ACP", () => {
  const schema = { type: "object", properties: { db: { type: "string", enum: ["pg", "sqlite"] } }, required: ["db"] };

  it("is asked as questions, whose answers are its content", () => {
    const form = acpSource.read({ type: "form", conversation: "s1", run: "one/2", message: "Which database?", schema });
    if (form?.kind !== "form") throw new Error("It isn't a form.");
    expect(form.parts).toMatchObject([
      { title: "Which database?", questions: [{ type: "select", options: [{ value: "pg" }, { value: "sqlite" }] }] },
    ]);
    expect(form.reply({ kind: "answered", answers: [{ questionId: "db", values: ["pg"] }] })).toEqual({
      result: { action: "accept", content: { db: "pg" } },
    });
    expect(form.reply({ kind: "cancelled", reason: undefined })).toEqual({ result: { action: "cancel" } });
  });

  it("that can't be shown in full is nobody's", () => {
    expect(acpSource.read({ type: "form", conversation: "s1", run: "one/2", message: "?", schema: { $ref: "#/x" } })).toBeUndefined();
  });
});

it("what was decided in an editor is never taken for a grant of askbox", () => {
  const over = (decided: unknown) => acpSource.read({ type: "over", conversation: "s1", run: "one/1", decided });
  for (const value of ["allow", "deny", "agent:always", undefined])
    expect(over({ by: "Zed", value })).toMatchObject({ kind: "over", yields: true, decided: { by: "Zed", value } });
  for (const value of ["session:8h", "project", "agent:", "yes", 1])
    expect(over({ by: "Zed", value })).toMatchObject({ decided: undefined });
});

it("what is malformed is no ask", () => {
  for (const value of [undefined, [], "x", { type: "permission" }, event({}, { conversation: "" }), event({}, { run: 3 })])
    expect(acpSource.read(value)).toBeUndefined();
});
