import type { ApprovalAsk, ApprovalSource } from "@askbox/approvals";
import { approvalSources } from "@askbox/clients";
import { parseAsk, type QuestionOf } from "@askbox/core";
import { actionParts } from "@askbox/core/questions";
import { seededIds } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const [source] = approvalSources.filter(({ path }) => path === "/hooks/copilot-cli") as [ApprovalSource];
const cwd = "/home/ada/engine";
/** As Copilot CLI 1.0.102 sends it. */
const event = (toolName: string, toolInput: object) => ({
  hookName: "permissionRequest",
  sessionId: "5009f4a2-0aa7-4438-9f01-2984a88e3ded",
  timestamp: 1_795_895_238_625,
  cwd,
  toolName,
  toolInput,
  permissionSuggestions: [],
});
const bash = (command: string) => event("bash", { command });
const diff = `\ndiff --git a${cwd}/a.txt b${cwd}/a.txt\ncreate file mode 100644\n--- a/dev/null\n+++ b${cwd}/a.txt\n@@ -1,0 +1,1 @@\n+hello\n`;
const asked = (sent: object): ApprovalAsk => {
  const ask = source.read({ ...sent, askbox: { folder: cwd, branch: "main" } });
  if (ask?.kind !== "ask") throw new Error("It is no ask.");
  return ask;
};
const shown = (sent: object) => {
  const { question, title } = asked(sent);
  const [approval] = parseAsk({ questions: [question], title }, { ids: seededIds() }).questions;
  return Object.fromEntries(actionParts((approval as QuestionOf<"approval">).action).map(({ name, text }) => [name, text]));
};

describe("a permission request of Copilot CLI", () => {
  test("for a command is shown with its folder", () => {
    expect(asked(bash("touch proof.txt"))).toMatchObject({
      conversation: "5009f4a2-0aa7-4438-9f01-2984a88e3ded",
      cwd,
      branch: "main",
      isHidden: true,
      title: "bash: touch proof.txt",
    });
    expect(shown(bash("touch proof.txt"))).toEqual({ tool: "bash", command: "touch proof.txt", cwd });
  });

  test("for an edit is shown as Copilot's diff, and without one with all arguments", () => {
    const path = `${cwd}/a.txt`;
    expect(shown(event("edit", { file_path: path, diff }))).toEqual({ tool: "edit", cwd, path, diff });
    expect(shown(event("edit", { file_path: path, text: "hello" }))).toMatchObject({ arguments: `file_path: ${path}\ntext: hello` });
  });

  test("for a server's tool is shown with the server and the arguments", () => {
    expect(shown(event("github/create_issue", { title: "A bug" }))).toMatchObject({
      title: "create_issue of the MCP server github",
      arguments: "title: A bug",
    });
  });

  test.each(["ls", "ls -la src", `cat ${cwd}/a.txt`, "git status", "git diff --stat", "grep -n one two.txt"])(
    "for a command that only reads in the project is left to Copilot: %s",
    (command) => {
      expect(source.read(bash(command))).toBeUndefined();
    },
  );

  test.each([
    "ls; rm a",
    "cat a > b",
    "cat $(touch b)",
    "git status\ntouch b",
    "cat /etc/passwd",
    "cat ../../.ssh/id",
    "cat ~/.ssh/id",
    "grep --file=/etc/passwd a",
    `cat ${cwd}/../b`,
    "git push",
    "lsof",
  ])("for any other command comes to the inbox: %j", (command) => {
    expect(asked(bash(command)).run).toBeDefined();
  });

  test.each([
    ["another event", { ...bash("touch a"), hookName: "preToolUse" }],
    ["a tool of askbox's own", event("askbox/ask_user", {})],
    ["no session", { ...bash("touch a"), sessionId: "" }],
    ["arguments that are no object", event("bash", [])],
    ["no object", "touch a"],
  ])("is none: %s", (_what, sent) => {
    expect(source.read(sent)).toBeUndefined();
  });

  test("gets a decision in Copilot's form, which has no place for anything but words", () => {
    const ask = asked(bash("touch a"));
    expect(source.reply(ask, { kind: "allow" })).toEqual({ behavior: "allow" });
    expect(source.reply(ask, { kind: "deny", reason: "Not there." })).toEqual({
      behavior: "deny",
      message: "A person denied this in askbox, and it was not run. Their words: Not there.",
    });
  });
});
