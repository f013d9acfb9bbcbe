import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { limits } from "@askbox/core";
import { expect, onTestFinished, test } from "vitest";
import { identify, projectHere } from "../src/identity.ts";
import { timeoutRange } from "../src/options.ts";

const env = {};
const caller = (roots: string[], name = "some-client", meta: Record<string, unknown> = {}) => ({
  client: { name },
  roots: async () => roots,
  auth: undefined,
  request: undefined,
  meta,
});

test("the project is the one specified, else the client's first folder, else the server's working directory", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "askbox-project-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const root = join(cwd, "a folder");
  const roots = ["https://example.com/", "not a uri", pathToFileURL(root).href];
  expect(await identify(caller(roots), { project: "sub", cwd, env })).toEqual({ project: join(cwd, "sub") });
  expect(await identify(caller(roots), { cwd, env })).toEqual({ project: root });
  expect(await identify(caller([]), { cwd, env, agent: "two" })).toEqual({ project: cwd, agentId: "two" });
});

test("the folder of a plugin is nobody's project: that is the conversation's, or none", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "askbox-project-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [plugin, link, project] = [join(folder, "plugin"), join(folder, "link"), join(folder, "project")];
  await mkdir(plugin);
  await symlink(plugin, link, "junction");
  expect(projectHere(project, {})).toBe(project);
  expect(projectHere(project, { ASKBOX_PLUGIN_FOLDER: plugin })).toBe(project);
  expect(projectHere(plugin, { ASKBOX_PLUGIN_FOLDER: link })).toBeUndefined();
  const identified = (known: string | undefined, more: { cwd?: string; project?: string } = {}, roots: string[] = []) =>
    identify(caller(roots), { cwd: undefined, conversationFolder: async () => known, env, ...more });
  expect(await identified(project)).toEqual({ project });
  expect(await identified(undefined)).toEqual({ project: undefined });
  expect(await identified(plugin, { cwd: project })).toEqual({ project });
  expect(await identified(plugin, { project })).toEqual({ project });
  expect(await identified(plugin, {}, [pathToFileURL(project).href])).toEqual({ project });
});

test("the branch is the project's", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "askbox-project-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await mkdir(join(cwd, ".git"));
  await writeFile(join(cwd, ".git", "HEAD"), "ref: refs/heads/feature/one\n");
  expect(await identify(caller([]), { cwd, env })).toEqual({ project: cwd, branch: "feature/one" });
});

test("the conversation is the one that a client has in its own variable, only to its own server", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "askbox-project-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const id = "5f0c1b2a-0000-4000-8000-123456789abc";
  const conversationOf = async (env: Record<string, string>, name = "claude-code") =>
    (await identify(caller([], name), { cwd, env })).conversation;
  expect(await conversationOf({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: id })).toBe(id);
  expect(await conversationOf({ CLAUDE_CODE_SESSION_ID: id })).toBeUndefined();
  expect(await conversationOf({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "$(reboot)" })).toBeUndefined();
  expect(await conversationOf({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: id }, "codex-mcp-client")).toBeUndefined();
  // One that was started from a shell of the other.
  const other = "6a0c1b2a-0000-4000-8000-123456789abc";
  const both = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: id, COPILOT_AGENT_SESSION_ID: other };
  expect(await conversationOf(both, "copilot-cli")).toBe(other);
  expect(await conversationOf(both)).toBe(id);
  expect(await conversationOf(both, "qwen-cli-mcp-client-askbox")).toBeUndefined();
});

test("the conversation is the thread that Codex sends with each call, and otherwise only the server's run is known", async () => {
  const threadId = "019A0000-0000-7000-8000-000000000001";
  const options = { project: "/p", cwd: "/", env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: threadId }, instance: "run 1" };
  const known = await identify(caller([], "codex-mcp-client", { threadId }), options);
  expect(known).toMatchObject({ conversation: threadId.toLowerCase(), instance: "run 1" });
  for (const [name, meta] of [
    ["codex-mcp-client", { threadId: "$(reboot)" }],
    ["codex-mcp-client", { threadId: 7 }],
    ["opencode", { threadId }],
  ] as const) {
    expect(await identify(caller([], name, meta), options)).toMatchObject({ conversation: undefined, instance: "run 1" });
  }
});

test("the timeouts allowed for the flag are the contract's", () => {
  expect(timeoutRange).toEqual({ min: limits.timeout.min, max: limits.timeout.max });
});
