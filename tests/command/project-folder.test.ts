import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome } from "./support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
  await home.serve();
});
afterEach(() => home.close());

// As it is built: what it loads for an ask must not need the working folder.
const askbox = `'${process.execPath}' '${resolve(import.meta.dirname, "../../apps/askbox/dist/main.js")}'`;

test("a project is the same by a link to it: its filter finds the question, and its grant counts", async () => {
  const [real, link] = [join(home.path, "real"), join(home.path, "link")];
  await mkdir(real);
  await symlink(real, link);
  await home.run(["grants", "add", "npm test", "--project", link]);
  const asked = (cwd: string, command: string) =>
    home.start(["hook", "claude-code"], {
      stdin: JSON.stringify({ session_id: "s", cwd, hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } }),
    });
  for (const cwd of [link, `${real}/`]) {
    const { done } = asked(cwd, "ls");
    const { id } = await home.pending();
    for (const project of [real, link, `${link}/`])
      expect((await home.run(["list", "--project", project])).stdout).toContain(id.slice(0, 8));
    await home.run(["cancel", id]);
    await done;
    expect((await asked(cwd, "npm test").done).stdout).toContain('"behavior":"allow"');
  }
});

// A worktree may be removed while its agent runs.
test("in a folder that was removed, agents and people ask all the same", async () => {
  const inRemoved = (line: string) => home.shell(`D=$(mktemp -d) && cd "$D" && rmdir "$D" && ${line}`);
  const asking = inRemoved(`${askbox} ask 'From nowhere?' --option a --option b`);
  await home.run(["answer", (await home.pending()).id, "b"]);
  expect(await asking).toMatchObject({ code: 0, stdout: "b\n" });

  const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: initialize },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "ask_user", arguments: { question: "From the server?" } } },
  ];
  const lines = messages.map((message) => `'${JSON.stringify(message)}'`).join(" ");
  // The client keeps its pipe open until then.
  const over = join(home.path, "over");
  const serving = inRemoved(`(printf '%s\\n' ${lines}; while [ ! -e '${over}' ]; do sleep 0.05; done) | ${askbox} mcp`);
  const session = await home.pending();
  expect(session).toMatchObject({
    questions: [{ question: "From the server?" }],
    asker: expect.not.objectContaining({ project: expect.anything() }),
  });
  await home.run(["cancel", session.id]);
  await writeFile(over, "");
  await serving;

  const { stderr, code } = await inRemoved(`${askbox} list --project sub`);
  expect([code, stderr]).toEqual([1, expect.stringContaining("this folder was removed")]);
});
