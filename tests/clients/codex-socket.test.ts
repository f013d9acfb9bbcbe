import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { hubPid, openDesk } from "../command/support/desk.ts";
import { type Home, openHome, program } from "../command/support/home.ts";
import { killProcess } from "../faults/support/processes.ts";
import { until } from "../support/until.ts";
import { serveDaemon } from "./support/codex-daemon.ts";
import { codexEvents } from "./support/codex-events.ts";
import { codexRequests, codexThread } from "./support/codex-socket-messages.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

/** A CODEX_HOME with a daemon. Its path is short, since a socket's may have only 100 characters. */
async function openCodex(options?: Parameters<typeof serveDaemon>[1]) {
  const codexHome = realpathSync(mkdtempSync(join(tmpdir(), "abx-codex-")));
  const daemon = await serveDaemon(codexHome, options);
  onTestFinished(async () => {
    await daemon.close();
    rmSync(codexHome, { recursive: true });
  });
  const env = { CODEX_HOME: codexHome };
  /** The server that the daemon starts for a session. */
  const startServer = () => home.start(["mcp", "--approvals", "codex"], { env });
  const followed = () => until("the daemon has a client that follows it", () => daemon.clients.size > 0);
  return { ...daemon, env, startServer, followed };
}

const { id: threadId } = codexThread;
const runHook = (env: Record<string, string>, session_id: string) =>
  home.start(["hook", "codex", "--timeout", "10s"], { stdin: JSON.stringify({ ...codexEvents.command, session_id }), env });

describe("askbox mcp --approvals codex", () => {
  test("shows what Codex asks while its own prompt is open, and allows it once", async () => {
    const [codex, { desk, only, answer }] = [await openCodex(), await openDesk(home)];
    codex.begin(threadId, home.path);
    codex.startServer();
    await codex.followed();
    codex.ask(codexRequests.command);
    const id = await only("pending");
    expect(codex.pending.size).toBe(1);
    expect(await desk.get(id)).toMatchObject({
      title: "Bash: touch proof.txt",
      asker: { client: { name: "codex" }, conversation: threadId, project: realpathSync(home.path) },
      questions: [{ action: { kind: "command", command: "touch proof.txt", cwd: "/home/ada/engine" } }],
    });
    await answer(id, ["allow"]);
    await until("Codex has the answer", () => codex.pending.size === 0);
    expect(codex.answers()).toEqual([{ id: 0, result: { decision: "accept" } }]);
    // A thread that somebody has joined is never unloaded.
    codex.run("idle", threadId);
    await until("the thread is left", () => codex.methods().at(-1) === "thread/unsubscribe");
  });

  test("leaves the hook nothing to ask for the sessions it follows, and everything else", async () => {
    const [codex, { desk, only }] = [await openCodex(), await openDesk(home)];
    codex.begin();
    const server = codex.startServer();
    await codex.followed();
    const asked = async () => (await desk.list({ statuses: ["pending", "cancelled"] })).items.length;
    // Until the hub knows that the session is followed, the hook asks, and gives up at its limit, which is 10 s or more.
    await until(
      "the hook asks nobody",
      async () => {
        const before = await asked();
        expect(await runHook(codex.env, threadId).done).toMatchObject({ code: 0, stdout: "" });
        return (await asked()) === before;
      },
      45_000,
    );
    const other = runHook(codex.env, "01997c3e-0000-7000-8000-000000000000");
    const id = await only("pending");
    await home.run(["deny", id]);
    expect((await other.done).stdout).toContain('"deny"');
    server.child.kill("SIGKILL");
    await server.done;
    const alone = runHook(codex.env, threadId);
    await home.run(["allow", await only("pending")]);
    expect((await alone.done).stdout).toContain('"allow"');
  });

  test("killed in the middle, allows nothing, and the server of another session asks again", async () => {
    const [codex, { only, answer }] = [await openCodex(), await openDesk(home)];
    codex.begin();
    const first = codex.startServer();
    await codex.followed();
    codex.startServer();
    codex.ask(codexRequests.command);
    const lost = await only("pending");
    first.child.kill("SIGKILL");
    expect(await only("cancelled")).toBe(lost);
    expect(codex.answers()).toEqual([]);
    await answer(await only("pending"), ["allow"]);
    await until("Codex has the answer", () => codex.pending.size === 0);
    // One at a time.
    expect(codex.connections()).toBe(2);
  });

  test("asks the next hub again, and answers nothing in the meantime", async () => {
    const [codex, { client, only }] = [await openCodex(), await openDesk(home, "process")];
    codex.begin();
    codex.startServer();
    await codex.followed();
    codex.ask(codexRequests.command);
    const lost = await only("pending");
    client.close();
    killProcess(hubPid(home), "SIGKILL");
    await home.run(["list"]);
    const next = await openDesk(home, "process");
    const id = await next.only("pending");
    expect(id).not.toBe(lost);
    expect(codex.answers()).toEqual([]);
    await next.answer(id, ["allow"]);
    await until("Codex has the answer", () => codex.answers().length === 1);
  });

  test("starts a hub and keeps it for as long as the session is open, although nothing is asked", async () => {
    const codex = await openCodex();
    codex.startServer();
    await until("the server keeps a hub", async () => {
      const { code, stdout } = await home.run(["hub", "status", "--json"]);
      return code === 0 && JSON.parse(stdout).askers === 1;
    });
    codex.begin();
    await codex.followed();
    codex.ask(codexRequests.command);
    const { only, answer } = await openDesk(home, "process");
    await answer(await only("pending"), ["deny"]);
    await until("Codex has the answer", () => codex.answers().length === 1);
  });

  // promise: codex-socket-owner
  test("joins no socket in a folder that other users can enter", async () => {
    const codex = await openCodex({ mode: 0o755 });
    const server = codex.startServer();
    await server.says(/Codex' approvals stay in its terminal/);
    expect(codex.connections()).toBe(0);
  });
});

test("a question through Codex' plugin, which Codex starts in the plugin's folder, is about the folder of its thread, or none", async () => {
  const codex = await openCodex();
  const [folder, here] = [realpathSync(codex.env.CODEX_HOME), realpathSync(home.path)];
  codex.begin(threadId, here);
  const [command, ...args] = program;
  const env = {
    ...codex.env,
    ASKBOX_HOME: home.path,
    ASKBOX_PLUGIN_FOLDER: folder,
    PATH: process.env["PATH"] ?? "",
    ASKBOX_ATTENTION: "none",
  };
  const client = new Client({ name: "codex-mcp-client", version: "1" });
  await client.connect(new StdioClientTransport({ command, args: [...args, "mcp"], env, cwd: folder }));
  onTestFinished(() => client.close());
  const { desk, only, answer } = await openDesk(home);
  for (const [_meta, project] of [
    [{ threadId }, here],
    [{ threadId: "01997c3e-0000-7000-8000-000000000000" }, undefined],
    [{}, undefined],
  ] as const) {
    const call = client.callTool({ name: "ask_user", arguments: { question: `About ${project}?`, options: ["A", "B"] }, _meta });
    const id = await only("pending");
    expect((await desk.get(id))?.asker.project).toBe(project);
    await answer(id, ["A"]);
    await call;
  }
});
