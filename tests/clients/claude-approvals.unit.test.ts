import type { ApprovalAsk, ApprovalSource } from "@askbox/approvals";
import { approvalSources } from "@askbox/clients";
import { parseAsk, type QuestionOf } from "@askbox/core";
import { actionParts } from "@askbox/core/questions";
import { seededIds } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { claudeEvents } from "./support/claude-events.ts";

const [source] = approvalSources.filter(({ path }) => path === "/hooks/claude-code") as [ApprovalSource];
const read = (event: unknown) => source.read(event);
const asked = (event: unknown): ApprovalAsk => {
  const ask = read(event);
  if (ask?.kind !== "ask") throw new Error("It is no ask.");
  return ask;
};
const questionOf = (event: unknown) => {
  const { question, title } = asked(event);
  const [approval] = parseAsk({ questions: [question], title }, { ids: seededIds() }).questions;
  return approval as QuestionOf<"approval">;
};
const shown = (event: unknown) => Object.fromEntries(actionParts(questionOf(event).action).map(({ name, text }) => [name, text]));

describe("a permission request of Claude Code", () => {
  test("for a command is shown with its folder and all arguments", () => {
    expect(asked(claudeEvents.command)).toMatchObject({
      conversation: claudeEvents.command.session_id,
      cwd: "/home/ada/engine",
      agentId: undefined,
      isHidden: false,
      title: "Bash: touch proof.txt",
    });
    expect(shown(claudeEvents.command)).toEqual({ tool: "Bash", title: "Make proof", command: "touch proof.txt", cwd: "/home/ada/engine" });
    const inBackground = { ...claudeEvents.command, tool_input: { ...claudeEvents.command.tool_input, run_in_background: true } };
    expect(shown(inBackground)).toMatchObject({ arguments: "run_in_background: true" });
    expect(questionOf(claudeEvents.command)).toMatchObject({ editable: true, grants: [{ value: "session" }, { value: "project" }] });
  });

  test("is compared by a digest, whatever its size", () => {
    const run = (command: string) => asked({ ...claudeEvents.command, tool_input: { command } }).run;
    const large = "x".repeat(100_000);
    expect(run(large)).toBe(run(large));
    expect(run(large)).not.toBe(run(`${large}y`));
    expect(run(large).length).toBeLessThan(100);
  });

  test("for a file is shown as a complete diff", () => {
    expect(shown(claudeEvents.edit)["diff"]).toBe(
      [
        "--- /home/ada/engine/a.ts",
        "+++ /home/ada/engine/a.ts",
        "@@ -1,2 +1,2 @@",
        " const a = 1;",
        "-const b = 2;",
        "\\ No newline at end of file",
        "+const b = 3;",
        "\\ No newline at end of file",
        "",
      ].join("\n"),
    );
    expect(shown(claudeEvents.edit)["arguments"]).toBe("replace_all: false");
    expect(shown(claudeEvents.write)["diff"]).toContain("+one\n+two\n");
    const long = Array.from({ length: 5_000 }, (_, index) => `line ${index}`);
    const rewritten = {
      ...claudeEvents.edit,
      tool_input: { file_path: "a", old_string: long.join("\n"), new_string: long.toReversed().join("\n") },
    };
    const diff = shown(rewritten)["diff"]?.split("\n") ?? [];
    for (const line of long) expect(diff).toContain(`+${line}`);
  });

  test("for an edit with more changes than anyone reads shows both texts, since comparing them would hold up everybody", () => {
    const kept = (changes: number) => {
      const texts = ["old", "new"].map((name) => Array.from({ length: changes }, (_, index) => `${name} ${index}\nsame`).join("\n"));
      const [old_string, new_string] = texts;
      const diff = shown({ ...claudeEvents.edit, tool_input: { file_path: "a", old_string, new_string } })["diff"] ?? "";
      return diff.split("\n").filter((line) => line === " same").length;
    };
    expect([kept(200), kept(300)]).toEqual([200, 0]);
  });

  test("for a tool that merely has a path is no edit", () => {
    for (const tool_name of ["Read", "mcp__mail__send"]) {
      const event = { ...claudeEvents.edit, tool_name, tool_input: { file_path: "/home/ada/.ssh/id_ed25519" } };
      expect(questionOf(event)).toMatchObject({ question: "May Claude Code use this tool?", action: { kind: "tool" }, editable: true });
      expect(shown(event)).toMatchObject({ tool: tool_name, arguments: "file_path: /home/ada/.ssh/id_ed25519" });
    }
    const notebook = { ...claudeEvents.edit, tool_name: "NotebookEdit", tool_input: { notebook_path: "a.ipynb", new_source: "1" } };
    expect(questionOf(notebook).action).toMatchObject({ kind: "edit", path: "a.ipynb" });
  });

  test("for a URL, a server's tool and a plan is shown as such", () => {
    expect(shown(claudeEvents.fetch)).toMatchObject({ path: "https://example.com/a", arguments: "prompt: What is it?" });
    expect(shown(claudeEvents.mcpTool)).toMatchObject({
      tool: "mcp__github__create_issue",
      title: "create_issue of the MCP server github",
      arguments: "title: A bug\nbody: It fails.",
    });
    expect(questionOf(claudeEvents.plan)).toMatchObject({ question: "Is this plan what you want?", action: { kind: "plan" } });
    expect(questionOf(claudeEvents.plan).grants).toBeUndefined();
    expect(shown(claudeEvents.plan)).toMatchObject({ plan: "# My plan\n\n1. Build it" });
  });

  test("from a background agent says so", () => {
    expect(asked(claudeEvents.subagent)).toMatchObject({ agentId: "a7d2c1", isHidden: true });
  });

  test("that is a question, or for an askbox tool, is left to the tool itself", () => {
    expect([read(claudeEvents.question), read(claudeEvents.ownTool)]).toEqual([undefined, undefined]);
  });

  test.each([
    null,
    1,
    "x",
    [],
    {},
    { hook_event_name: "PermissionRequest" },
    { ...claudeEvents.command, tool_input: "touch" },
    { ...claudeEvents.command, session_id: 1 },
    { ...claudeEvents.ran, hook_event_name: "PreCompact" },
  ])("that is %j is ignored", (event) => {
    expect(read(event)).toBeUndefined();
  });

  test("is answered in the hook's format, and a plan with its arguments echoed", () => {
    const reply = (event: unknown, decision: Parameters<ApprovalSource["reply"]>[1]) =>
      (source.reply(asked(event), decision) as { hookSpecificOutput: { decision: unknown } }).hookSpecificOutput.decision;
    expect(reply(claudeEvents.command, { kind: "allow" })).toEqual({ behavior: "allow" });
    expect(reply(claudeEvents.command, { kind: "allow", input: { command: "touch other.txt" } })).toEqual({
      behavior: "allow",
      updatedInput: { description: "Make proof", command: "touch other.txt" },
    });
    expect(reply(claudeEvents.plan, { kind: "allow" })).toEqual({ behavior: "allow", updatedInput: claudeEvents.plan.tool_input });
    expect(reply(claudeEvents.command, { kind: "deny", reason: "Not now" })).toEqual({
      behavior: "deny",
      message: "A person denied this in askbox, and it was not run. Their words: Not now",
    });
    expect(reply(claudeEvents.command, { kind: "deny" })).toMatchObject({ behavior: "deny", message: expect.stringContaining("denied") });
  });
});

describe("an event after Claude Code continued on its own", () => {
  test("names what ran, by tool and arguments in any order", () => {
    expect(read(claudeEvents.ran)).toMatchObject({ kind: "over", run: asked(claudeEvents.command).run });
  });

  test("ends the requests of one agent, or of the whole conversation", () => {
    expect(read(claudeEvents.stop)).toMatchObject({ kind: "over", run: undefined, agentId: undefined, isWhole: false });
    expect(read(claudeEvents.subagentStop)).toMatchObject({ kind: "over", agentId: "a7d2c1", isWhole: false });
    expect(read(claudeEvents.sessionEnd)).toMatchObject({ kind: "over", isWhole: true });
  });
});
