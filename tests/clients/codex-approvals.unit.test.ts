import type { ApprovalAsk, ApprovalSource } from "@askbox/approvals";
import { approvalSources } from "@askbox/clients";
import { parseAsk, type QuestionOf } from "@askbox/core";
import { actionParts } from "@askbox/core/questions";
import { seededIds } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { codexEvents } from "./support/codex-events.ts";

const [source] = approvalSources.filter(({ path }) => path === "/hooks/codex") as [ApprovalSource];
const asked = (event: unknown): ApprovalAsk => {
  const ask = source.read(event);
  if (ask?.kind !== "ask") throw new Error("It is no ask.");
  return ask;
};
const questionOf = (event: unknown) => {
  const { question, title } = asked(event);
  const [approval] = parseAsk({ questions: [question], title }, { ids: seededIds() }).questions;
  return approval as QuestionOf<"approval">;
};
const shown = (event: unknown) => Object.fromEntries(actionParts(questionOf(event).action).map(({ name, text }) => [name, text]));

describe("a permission request of Codex", () => {
  test("for a command is shown with its folder, what the agent says about it, and everything else that it is given", () => {
    expect(asked(codexEvents.command)).toMatchObject({
      conversation: codexEvents.command.session_id,
      cwd: "/home/ada/engine",
      isHidden: true,
      title: "Bash: touch proof.txt",
    });
    expect(shown(codexEvents.command)).toEqual({
      tool: "Bash",
      title: "May I make the proof file?",
      command: "touch proof.txt",
      cwd: "/home/ada/engine",
    });
    const other = { ...codexEvents.command, tool_input: { ...codexEvents.command.tool_input, timeout_ms: 5 } };
    expect(shown(other)).toMatchObject({ arguments: "timeout_ms: 5" });
    expect(questionOf(codexEvents.command)).toMatchObject({ grants: [{ value: "session" }, { value: "project" }] });
    expect(questionOf(codexEvents.command).editable).not.toBe(true);
  });

  test("belongs to the folder of the session, whatever folder the command is to run in", () => {
    const event = { ...codexEvents.command, cwd: "/home/ada/other", askbox: { folder: "/home/ada/engine", branch: "main" } };
    expect(asked(event)).toMatchObject({ cwd: "/home/ada/engine", branch: "main" });
    expect(shown(event)).toMatchObject({ cwd: "/home/ada/other" });
  });

  test("for a patch is shown as the whole patch, listed by its first file", () => {
    expect(shown(codexEvents.patch)["diff"]).toBe(codexEvents.patch.tool_input.command);
    expect(asked(codexEvents.patch).title).toBe("apply_patch: src/a.ts");
    expect(questionOf(codexEvents.patch)).toMatchObject({ question: "May Codex apply this patch?", action: { kind: "edit" } });
    const other = { ...codexEvents.patch, tool_input: { ...codexEvents.patch.tool_input, root: "/" } };
    expect(shown(other)).toMatchObject({ arguments: "root: /" });
  });

  test("for a tool of a server, or one that is not known, is shown with its arguments", () => {
    expect(shown(codexEvents.mcpTool)).toMatchObject({
      tool: "mcp__github__create_issue",
      title: "create_issue of the MCP server github",
      arguments: "title: A bug\nbody: It fails.",
    });
    expect(shown({ ...codexEvents.command, tool_input: { command: ["rm", "x"] } })).toMatchObject({
      tool: "Bash",
      arguments: expect.stringContaining("rm"),
    });
  });

  test.each([{}, null, undefined])("for a tool with the arguments %j is shown like any other", (tool_input) => {
    const event = { ...codexEvents.mcpTool, tool_name: "mcp__db__reset", tool_input };
    expect(shown(event)).toEqual({ tool: "mcp__db__reset", title: "reset of the MCP server db", cwd: codexEvents.mcpTool.cwd });
  });

  test.each([
    null,
    1,
    [],
    {},
    codexEvents.ownTool,
    { ...codexEvents.command, tool_input: "touch" },
    { ...codexEvents.command, session_id: 1 },
    { ...codexEvents.command, hook_event_name: "PreToolUse" },
  ])("that is %j is none", (event) => {
    expect(source.read(event)).toBeUndefined();
  });

  test("is answered in its hook's words, without a field that Codex doesn't know", () => {
    const reply = (decision: Parameters<ApprovalSource["reply"]>[1]) => source.reply(asked(codexEvents.command), decision);
    const output = (decision: object) => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
    expect(reply({ kind: "allow" })).toEqual(output({ behavior: "allow" }));
    expect(reply({ kind: "deny", reason: "Not now" })).toEqual(
      output({ behavior: "deny", message: "A person denied this in askbox, and it was not run. Their words: Not now" }),
    );
    expect(reply({ kind: "deny" })).toEqual(output({ behavior: "deny", message: "A person denied this in askbox, and it was not run." }));
  });
});
