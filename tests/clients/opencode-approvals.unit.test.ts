import type { ApprovalAsk, ApprovalSource } from "@askbox/approvals";
import { approvalSources } from "@askbox/clients";
import { parseAsk, type QuestionOf } from "@askbox/core";
import { actionParts } from "@askbox/core/questions";
import { seededIds } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { opencodeEvents } from "./support/opencode-events.ts";

const [source] = approvalSources.filter(({ path }) => path === "/hooks/opencode") as [ApprovalSource];
const inFolder = (event: object) => ({ ...event, askbox: { folder: "/home/ada/engine", branch: "main" } });
const asked = (event: object): ApprovalAsk => {
  const ask = source.read(inFolder(event));
  if (ask?.kind !== "ask") throw new Error("It is no ask.");
  return ask;
};
const questionOf = (event: object) => {
  const { question, title } = asked(event);
  const [approval] = parseAsk({ questions: [question], title }, { ids: seededIds() }).questions;
  return approval as QuestionOf<"approval">;
};
const shown = (event: object) => Object.fromEntries(actionParts(questionOf(event).action).map(({ name, text }) => [name, text]));
const { command, edit, patch, fetch, mcpTool, folder, subagent, ownTool, question } = opencodeEvents;
const bash = (input: object, metadata: object = { command: "npm test" }) => ({
  ...command,
  properties: { ...command.properties, metadata },
  call: { tool: "bash", input: { command: "npm test", ...input } },
});

describe("a permission request of OpenCode", () => {
  test("for a command is shown with its folder, the agent's description, and all other arguments", () => {
    expect(asked(command)).toMatchObject({
      conversation: command.root,
      cwd: "/home/ada/engine",
      branch: "main",
      agentId: undefined,
      isHidden: false,
      title: "bash: touch proof.txt",
    });
    expect(shown(command)).toEqual({ tool: "bash", title: "Make proof", command: "touch proof.txt", cwd: "/home/ada/engine" });
    expect(questionOf(command)).toMatchObject({ grants: [{ value: "session" }, { value: "project" }] });
    expect(questionOf(command).editable).not.toBe(true);
    expect(shown(bash({ timeout: 5 }))).toMatchObject({ arguments: "timeout: 5" });
  });

  test("for a command is shown with the folder chosen by the agent, which is not in the request", () => {
    expect(shown(bash({ workdir: "/etc" }))).toMatchObject({ cwd: "/etc" });
    expect(shown(bash({ workdir: "src/../.." }))).toMatchObject({ cwd: "/home/ada" });
    expect(asked(bash({ workdir: "/etc" })).cwd).toBe("/home/ada/engine");
  });

  test("for an edit is shown as OpenCode's complete diff", () => {
    expect(shown(edit)).toEqual({
      tool: "write",
      cwd: "/home/ada/engine",
      path: "/home/ada/engine/w.txt",
      diff: edit.properties.metadata.diff,
    });
    expect(asked(edit).title).toBe("write: /home/ada/engine/w.txt");
    const all = { ...edit, call: { tool: "edit", input: { filePath: "w.txt", oldString: "a", newString: "b", replaceAll: true } } };
    expect(shown(all)["arguments"]).toBe("replaceAll: true");
  });

  test("for a patch is shown with the destinations of moved files, which are not in its diff", () => {
    expect(shown(patch)).toMatchObject({ path: "a.ts, old.ts", diff: patch.properties.metadata.diff });
    expect(shown(patch)["arguments"]).toContain('"to": "/home/ada/engine/new.ts"');
  });

  test("for a URL is shown with it", () => {
    expect(shown(fetch)).toMatchObject({ tool: "webfetch", path: "https://example.com/a", arguments: "format: text" });
    expect(questionOf(fetch).action.kind).toBe("fetch");
  });

  test("for a server's tool is shown with its arguments and the server, even if server names share a prefix", () => {
    expect(shown(mcpTool)).toMatchObject({
      tool: "git_hub_create_issue",
      title: "create_issue of the MCP server git hub",
      arguments: "title: A bug\nbody: It fails.",
    });
    expect(shown({ ...mcpTool, servers: null })).not.toHaveProperty("title");
  });

  test.each([{}, null, undefined])("for a tool with the arguments %j is shown like any other", (input) => {
    expect(shown({ ...mcpTool, call: { ...mcpTool.call, input } })).toEqual({
      tool: "git_hub_create_issue",
      title: "create_issue of the MCP server git hub",
      cwd: "/home/ada/engine",
    });
  });

  test("for something else than the call is shown with OpenCode's description and the call", () => {
    expect(questionOf(folder).action.kind).toBe("other");
    expect(shown(folder)["title"]).toBe("external_directory: /etc/*");
    for (const part of ["permission: external_directory", "/etc/*", "cat /etc/hosts"]) expect(shown(folder)["arguments"]).toContain(part);
  });

  test("from a subagent belongs to the session that a person started", () => {
    expect(asked(subagent)).toMatchObject({ conversation: subagent.root, agentId: subagent.properties.sessionID });
  });

  test.each([
    ["no object", null],
    ["a list", []],
    ["another event", { ...command, type: "permission.replied" }],
    ["for a tool of askbox", ownTool],
    ["for OpenCode's own question", question],
    ["without its call", { ...command, call: undefined }],
    ["without a session", { ...command, root: undefined }],
    ["for another command than the call's", bash({ command: "npm test; rm x" })],
    ["for a command whose folder is no text", bash({ workdir: ["/etc"] })],
    ["for another address than the call's", { ...fetch, call: { tool: "webfetch", input: { url: "https://example.com/b" } } }],
    ["for an edit without a diff", { ...edit, properties: { ...edit.properties, metadata: { filepath: "/home/ada/engine/w.txt" } } }],
    ["for a tool that another tool calls, whose arguments nobody says", { ...mcpTool, call: { tool: "execute", input: { code: "x()" } } }],
  ])("that is %s is left to OpenCode", (_what, event) => {
    expect(source.read(event === null || Array.isArray(event) ? event : inFolder(event))).toBeUndefined();
  });

  test("for a command in its own folder is left to OpenCode if the session's folder is unknown", () => {
    expect(source.read(bash({ workdir: "src" }))).toBeUndefined();
  });

  test("is answered in OpenCode's format, and a denial always has a message", () => {
    const reply = (decision: Parameters<ApprovalSource["reply"]>[1]) => source.reply(asked(command), decision);
    expect(reply({ kind: "allow" })).toEqual({ reply: "once" });
    expect(reply({ kind: "deny", reason: "Not now" })).toEqual({
      reply: "reject",
      message: "A person denied this in askbox, and it was not run. Their words: Not now",
    });
    for (const reason of [undefined, ""]) {
      expect(reply({ kind: "deny", reason })).toEqual({ reply: "reject", message: "A person denied this in askbox, and it was not run." });
    }
  });
});
