import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalAsk } from "@askbox/approvals";
import { readCodexDecision, codexSocketSource as source } from "@askbox/clients";
import {
  type AppServerChannel,
  type CodexDecision,
  type CodexDenial,
  type CodexRequest,
  codexSocket,
  followCodex,
  ownSocket,
  threadFolder,
} from "@askbox/clients/codex-socket";
import { parseAsk, type QuestionOf } from "@askbox/core";
import { actionParts } from "@askbox/core/questions";
import { seededIds } from "@askbox/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { createDaemon, serveDaemon } from "./support/codex-daemon.ts";
import { codexElicitation, codexRequests, codexReview, codexThread, fileChanges, titleThread } from "./support/codex-socket-messages.ts";

const { command, patch, tool } = codexRequests;
const { id: session, cwd } = codexThread;
const eventOf = (request: object, more: object = {}) => ({
  type: "request",
  session,
  askbox: { folder: cwd, branch: "main" },
  ...request,
  ...more,
});
const changed = <Request extends { params: object }>(request: Request, params: object) => ({
  ...request,
  params: { ...request.params, ...params },
});

describe("a request from Codex' socket", () => {
  const asked = (event: unknown): ApprovalAsk => {
    const ask = source.read(event);
    if (ask?.kind !== "ask") throw new Error("It is no ask.");
    return ask;
  };
  const questionOf = (event: unknown) => {
    const { question, title } = asked(event);
    return parseAsk({ questions: [question], title }, { ids: seededIds() }).questions[0] as QuestionOf<"approval">;
  };
  const shown = (event: unknown) => Object.fromEntries(actionParts(questionOf(event).action).map(({ name, text }) => [name, text]));

  test("for a command is shown and matched like the same one from the hook", () => {
    expect(asked(eventOf(command))).toMatchObject({
      conversation: session,
      cwd,
      branch: "main",
      isHidden: false,
      title: "Bash: touch proof.txt",
    });
    expect(questionOf(eventOf(command)).action).toEqual({
      kind: "command",
      tool: "Bash",
      title: "May I make the proof file?",
      command: "touch proof.txt",
      cwd,
      input: { command: "touch proof.txt" },
    });
  });

  test.each([
    ["/bin/bash -lc 'npm test'", "npm test"],
    ["/usr/bin/zsh -lc \"echo '\\$HOME'\"", "echo '$HOME'"],
    ["/bin/sh -c ls", "ls"],
    [`/bin/bash -lc 'it'"'"'s'`, "it's"],
    ["/tmp/bash -lc 'npm test'", "/tmp/bash -lc 'npm test'"],
    ["/bin/bash -lc 'npm test' evil", "/bin/bash -lc 'npm test' evil"],
    ["/bin/bash --rcfile x -lc 'npm test'", "/bin/bash --rcfile x -lc 'npm test'"],
    ["/bin/bash -lc $(curl x)", "/bin/bash -lc $(curl x)"],
    ['/bin/bash -lc "$(curl x)"', '/bin/bash -lc "$(curl x)"'],
    ["/bin/bash -lc 'a\nb'", "a\nb"],
    ["/bin/bash  -lc 'npm test'", "/bin/bash  -lc 'npm test'"],
    ["npm test", "npm test"],
  ])("that is %j is shown as %j", (sent, command_) => {
    expect(shown(eventOf(changed(command, { command: sent })))["command"]).toBe(command_);
  });

  test("is shown with everything else that Codex says of it, which no grant for the command covers", () => {
    const permissions = { network: null, fileSystem: { write: ["/etc"] } };
    const args = shown(eventOf(changed(command, { additionalPermissions: permissions, environmentId: "remote-1" })))["arguments"];
    expect(args).toContain("/etc");
    expect(args).toContain("environmentId: remote-1");
  });

  test("for a patch is shown as the whole diff", () => {
    const event = eventOf(patch, { changes: fileChanges });
    expect(asked(event).title).toBe("apply_patch: /home/ada/engine/d.txt");
    expect(shown(event)["diff"]).toBe(`--- ${cwd}/d.txt
+++ ${cwd}/d.txt
@@ -1,1 +0,0 @@
-bye
--- ${cwd}/n.txt
+++ ${cwd}/n.txt
@@ -0,0 +1,2 @@
+one
+two
--- ${cwd}/u.txt
+++ ${cwd}/moved.txt
@@ -1,3 +1,3 @@
 one
-old
+new
 three
`);
    expect(shown(event)["arguments"]).toContain("moved.txt");
  });

  test("for a tool of an MCP server is shown with its arguments", () => {
    expect(shown(eventOf(tool))).toEqual({
      tool: "mcp__files__write_note",
      title: "write_note of the MCP server files",
      arguments: "text: hello",
    });
  });

  test.each([{}, null, undefined])("for a tool with the arguments %j is shown like any other", (tool_params) => {
    expect(shown(eventOf(changed(tool, { _meta: { ...tool.params._meta, tool_params } })))).toEqual({
      tool: "mcp__files__write_note",
      title: "write_note of the MCP server files",
    });
  });

  test.each([
    ["nothing", null],
    ["no request", {}],
    ["a patch without its changes", eventOf(patch)],
    ["a patch with a change of an unknown kind", eventOf(patch, { changes: [{ ...fileChanges[0], kind: { type: "chmod" } }] })],
    ["a patch that would allow a folder for the whole session", eventOf(changed(patch, { grantRoot: "/" }), { changes: fileChanges })],
    ["a connection to a host", eventOf(changed(command, { networkApprovalContext: { host: "example.com", protocol: "https" } }))],
    ["input for a running terminal", eventOf(changed(command, { kind: "writeStdin" }))],
    ["a command that the person must have written", eventOf(changed(command, { kind: "humanCommand" }))],
    ["a command that can't be allowed once", eventOf(changed(command, { availableDecisions: ["cancel"] }))],
    ["no command", eventOf(changed(command, { command: null }))],
    ["a question of a server", eventOf(codexElicitation)],
    ["a tool whose approval has fields", eventOf(changed(tool, { requestedSchema: { type: "object", properties: { a: {} } } }))],
    ["a tool of askbox", eventOf(changed(tool, { serverName: "askbox" }))],
    ["a question of the agent", eventOf({ ...command, method: "item/tool/requestUserInput" })],
    ["more permissions", eventOf({ ...command, method: "item/permissions/requestApproval" })],
  ])("for %s is left to Codex", (_what, event) => {
    expect(source.read(event)).toBeUndefined();
  });

  test("is answered by nothing but a decision", () => {
    const ask = asked(eventOf(command));
    expect(readCodexDecision(source.reply(ask, { kind: "allow", input: {} }))).toEqual({ isAllowed: true });
    expect(readCodexDecision(source.reply(ask, { kind: "deny", reason: "No" }))).toEqual({ isAllowed: false, reason: "No" });
    for (const reply of [undefined, null, {}, { isAllowed: "true" }, { decision: "accept" }])
      expect(readCodexDecision(reply)).toBeUndefined();
  });
});

/** Follows the stand-in, and asks a person who can be played. */
function follow(daemon = createDaemon()) {
  const asked: { request: CodexRequest; signal: AbortSignal; decide(decision: CodexDecision | undefined): void }[] = [];
  const settled: unknown[] = [];
  const denied: { denial: CodexDenial; signal: AbortSignal; decide(isOverruled: boolean): void }[] = [];
  const refused: string[] = [];
  const allowed: CodexDenial[] = [];
  const sessions: (readonly string[])[] = [];
  const channel = channelTo(daemon);
  const gone = new AbortController();
  const tooLarge = new Set<string>();
  const logged: string[] = [];
  const done = followCodex(channel, {
    inbox: {
      ask(request, signal) {
        const { promise, resolve } = Promise.withResolvers<CodexDecision | undefined>();
        asked.push({ request, signal, decide: resolve });
        return promise;
      },
      settled: async ({ id }) => void settled.push(id),
      denied(denial, signal) {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        denied.push({ denial, signal, decide: resolve });
        return promise;
      },
      refused: async (_denial, why) => void refused.push(why),
      allowed: async (review) => void allowed.push(review),
      follows: (named) => void sessions.push(named),
    },
    version: "1.0.0",
    signal: gone.signal,
    tooLarge,
    log: (_level, message) => void logged.push(message),
  });
  onTestFinished(async () => {
    gone.abort();
    await done.catch(() => {});
  });
  const next = (count = 1) => until(`${count} requests came`, () => asked.length >= count && asked[count - 1]);
  return { daemon, channel, asked, settled, denied, refused, allowed, sessions, done, next, tooLarge, logged };
}

function channelTo(daemon: ReturnType<typeof createDaemon>): AppServerChannel {
  const listeners: ((text: string) => void)[] = [];
  const ends: (() => void)[] = [];
  const { receive, leave } = daemon.connect((text) => queueMicrotask(() => listeners.forEach((listener) => void listener(text))));
  let isOpen = true;
  return {
    send: (text) => queueMicrotask(() => isOpen && receive(text)),
    close() {
      if (!isOpen) return;
      isOpen = false;
      leave();
      ends.forEach((end) => void end());
    },
    onMessage: (listener) => void listeners.push(listener),
    onClose: (listener) => void ends.push(listener),
  };
}

/** A second request of the same kind. */
const again = <Request extends { params: object }>(request: Request, id: number) =>
  ({ ...changed(request, { itemId: `call_${id}` }), id }) as Request;

describe("who follows Codex' daemon", () => {
  test("finds what was pending before, and joins no thread that waits for nothing", async () => {
    const daemon = createDaemon();
    daemon.begin();
    daemon.begin("01997c3e-1111-7000-8000-000000000000");
    daemon.ask(command);
    const { next, sessions } = follow(daemon);
    expect((await next())?.request).toMatchObject({ id: 0, method: command.method, session, cwd });
    await until("both are followed", () => sessions.at(-1)?.length === 2);
    expect(daemon.received.filter(({ method }) => method === "thread/resume")).toMatchObject([{ params: { threadId: session } }]);
  });

  test("reports what the reviewing model let run, takes what it denied to the inbox, and tells Codex in its own words what was overruled", async () => {
    const { daemon, denied, refused, allowed } = follow();
    daemon.begin();
    daemon.run();
    await until("the running thread is joined", () => daemon.methods().includes("thread/resume"));
    for (const [reviewId, status] of [
      ["review_0", "approved"],
      ["review_00", "aborted"],
    ]) {
      const params = { ...codexReview, reviewId, review: { ...codexReview.review, status } };
      daemon.tell({ method: "item/autoApprovalReview/completed", params }, session);
    }
    daemon.tell({ method: "item/autoApprovalReview/completed", params: codexReview }, session);
    daemon.tell({ method: "item/autoApprovalReview/completed", params: codexReview }, session);
    await until("it is denied", () => denied.length > 0);
    expect(denied).toHaveLength(1);
    expect(allowed).toMatchObject([{ session, cwd, review: { reviewId: "review_0" } }]);
    expect(denied[0]?.denial).toMatchObject({ session, cwd, review: { reviewId: "review_1" } });
    daemon.run("idle");
    await until("the idle thread is left", () => daemon.methods().includes("thread/unsubscribe"));
    denied[0]?.decide(true);
    const approved = () => daemon.received.find(({ method }) => method === "thread/approveGuardianDeniedAction");
    await until("Codex is told", () => approved() !== undefined);
    expect(approved()?.params).toEqual({
      threadId: session,
      event: {
        id: "review_1",
        target_item_id: "call_1",
        turn_id: codexReview.turnId,
        started_at_ms: 1,
        completed_at_ms: 2,
        status: "denied",
        risk_level: "high",
        user_authorization: "low",
        rationale: "Runs a script from the network.",
        decision_source: "agent",
        action: { type: "command", source: "unified_exec", command: codexReview.action.command, cwd },
      },
    });
    await until("the thread is left again", () => daemon.methods().filter((method) => method === "thread/unsubscribe").length === 2);
    expect(refused).toEqual([]);
  });

  test("says what Codex answers if it does not take what was overruled, and tells it nothing of an agreement", async () => {
    const { daemon, denied, refused } = follow();
    daemon.begin();
    daemon.run();
    await until("the running thread is joined", () => daemon.methods().includes("thread/resume"));
    for (const reviewId of ["review_1", "review_2"])
      daemon.tell({ method: "item/autoApprovalReview/completed", params: { ...codexReview, reviewId } }, session);
    await until("both are denied", () => denied.length === 2);
    denied[0]?.decide(false);
    daemon.refuseOverruled("invalid Guardian denial event");
    denied[1]?.decide(true);
    await until("it is refused", () => refused.length === 1);
    expect(refused).toEqual(["invalid Guardian denial event"]);
    expect(daemon.methods().filter((method) => method === "thread/approveGuardianDeniedAction")).toHaveLength(1);
  });

  test("does not follow the threads that Codex has for itself", async () => {
    const { daemon, sessions } = follow();
    await until("it is connected", () => daemon.clients.size === 1);
    daemon.tell({ method: "thread/started", params: { thread: titleThread } });
    daemon.begin();
    await until("the session is followed", () => sessions.length > 0);
    expect(sessions).toEqual([[session]]);
  });

  test("shows a patch that it saw begin, or that the running turn holds, and leaves any other to Codex", async () => {
    const { daemon, next, asked } = follow();
    daemon.begin();
    await until("it is connected", () => daemon.methods().includes("thread/read") || daemon.clients.size === 1);
    daemon.ask(patch);
    expect((await next())?.request.changes).toEqual(fileChanges);
    daemon.hideTurns();
    daemon.ask(again(patch, 7), { type: "fileChange", id: "call_7", changes: fileChanges.slice(0, 1) });
    expect((await next(2))?.request.changes).toEqual(fileChanges.slice(0, 1));
    daemon.ask(again(patch, 8));
    daemon.ask(again(command, 9));
    expect((await next(3))?.request.id).toBe(9);
    expect(asked).toHaveLength(3);
    expect(daemon.answers()).toEqual([]);
  });

  test("answers each in its own form, for this time only", async () => {
    const { daemon, next } = follow();
    daemon.begin();
    daemon.ask(command);
    (await next(1))?.decide({ isAllowed: true });
    await until("the command is allowed", () => daemon.answers().length === 1);
    daemon.ask(tool);
    (await next(2))?.decide({ isAllowed: true });
    await until("the tool is allowed", () => daemon.answers().length === 2);
    daemon.ask(again(tool, 5));
    (await next(3))?.decide({ isAllowed: false });
    await until("the tool is denied", () => daemon.answers().length === 3);
    expect(daemon.answers()).toEqual([
      { id: 0, result: { decision: "accept" } },
      { id: 2, result: { action: "accept", content: {}, _meta: null } },
      { id: 5, result: { action: "decline", content: null, _meta: null } },
    ]);
    // Without a reason, the agent is told nothing more.
    expect(daemon.methods()).not.toContain("turn/steer");
  });

  test("denies at once after the reason, while Codex' own prompt could still be answered with yes", async () => {
    const { daemon, next } = follow();
    daemon.holdSteers();
    daemon.begin();
    daemon.ask(command);
    (await next())?.decide({ isAllowed: false, reason: "Use b.txt" });
    await until("the command is denied", () => daemon.answers().length === 1);
    const told = daemon.received.slice(daemon.methods().indexOf("turn/steer")).slice(0, 2);
    expect(told).toMatchObject([{ method: "turn/steer" }, { id: 0, result: { decision: "decline" } }]);
  });

  test("says nothing when nobody decided, and nothing that is late", async () => {
    const { daemon, next, settled } = follow();
    daemon.begin();
    daemon.ask(command);
    (await next(1))?.decide(undefined);
    daemon.ask(again(command, 4));
    const late = await next(2);
    daemon.settle(4);
    await until("the inbox is told", () => settled.includes(4) && late?.signal.aborted);
    late?.decide({ isAllowed: true });
    daemon.ask(again(command, 5));
    await next(3);
    expect(daemon.answers()).toEqual([]);
    expect(settled).toEqual([4]);
  });

  test("withdraws what a session asked that has ended", async () => {
    const { daemon, next, settled, sessions } = follow();
    daemon.begin();
    daemon.ask(command);
    await next();
    daemon.tell({ method: "thread/closed", params: { threadId: session } });
    await until("the inbox is told", () => settled.includes(0));
    expect(sessions.at(-1)).toEqual([]);
  });

  test("leaves to Codex what is larger than a page can show, and questions of servers", async () => {
    const { daemon, next, asked, logged } = follow();
    daemon.begin();
    daemon.ask({ ...again(command, 6), params: { ...command.params, command: "x".repeat(300_000) } });
    daemon.ask(codexElicitation);
    daemon.ask(command);
    expect((await next())?.request.id).toBe(0);
    expect(asked).toHaveLength(1);
    expect(daemon.answers()).toEqual([]);
    expect(logged).toEqual(["A request of Codex is too large to show completely; its own prompt decides"]);
  });

  test("remembers a thread whose turn ended the connection, as one too large to be read", async () => {
    const { daemon, channel, done, tooLarge } = follow();
    daemon.begin();
    daemon.whenAskedForTurns(() => channel.close());
    daemon.ask(patch);
    await done;
    expect([...tooLarge]).toEqual([session]);
  });

  test("ends with its connection, and asks no thread again whose turn was too large to be read", async () => {
    const first = follow();
    first.daemon.begin();
    first.daemon.ask(command);
    const open = await first.next();
    first.channel.close();
    await first.done;
    expect(open?.signal.aborted).toBe(true);
    expect(first.sessions.at(-1)).toEqual([]);
    const second = follow();
    second.tooLarge.add(session);
    second.daemon.begin();
    second.daemon.ask(patch);
    second.daemon.ask(command);
    expect((await second.next())?.request.id).toBe(0);
    expect(second.daemon.received.some(({ params }) => params?.["initialTurnsPage"] !== undefined)).toBe(false);
  });
});

describe("the socket of Codex' daemon", () => {
  function openFolder() {
    const folder = mkdtempSync(join(tmpdir(), "abx-socket-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  }
  async function listen(path: string) {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => void server.close());
  }

  test("is below CODEX_HOME, or in the home folder", () => {
    const at = join("app-server-control", "app-server-control.sock");
    expect(codexSocket({ CODEX_HOME: "/x", HOME: "/home/ada" })).toBe(join("/x", at));
    expect(codexSocket({ HOME: "/home/ada" })).toBe(join("/home/ada/.codex", at));
  });

  test("is taken where its link leads, if nobody else can reach it there", async () => {
    const folder = openFolder();
    const private_ = join(folder, "private");
    mkdirSync(private_, { mode: 0o700 });
    await listen(join(private_, "real"));
    symlinkSync(join(private_, "real"), join(folder, "link"));
    expect(ownSocket(join(folder, "link"))).toBe(join(private_, "real"));
    expect(ownSocket(join(folder, "none"))).toBeUndefined();
    chmodSync(private_, 0o750);
    expect(() => ownSocket(join(folder, "link"))).toThrow(/other users can reach/);
    chmodSync(private_, 0o700);
    writeFileSync(join(private_, "file"), "");
    expect(() => ownSocket(join(private_, "file"))).toThrow(/is no socket/);
  });
});

describe.skipIf(process.platform === "win32")("the folder of a thread", () => {
  const open = async (options?: Parameters<typeof serveDaemon>[1]) => {
    const home = mkdtempSync(join(tmpdir(), "abx-codex-"));
    const daemon = await serveDaemon(home, options);
    onTestFinished(async () => {
      await daemon.close();
      rmSync(home, { recursive: true });
    });
    const path = codexSocket({ CODEX_HOME: home });
    return { daemon, folder: (thread: string) => threadFolder({ path, thread, version: "1.0.0", timeout: 5_000 }) };
  };

  test("is what the daemon says, which is then left alone", async () => {
    const { daemon, folder } = await open();
    daemon.begin();
    expect(await folder(session)).toBe(cwd);
    await until("the daemon is left", () => daemon.clients.size === 0);
    expect(daemon.methods()).toEqual(["thread/read"]);
  });

  test("is not known without a daemon, of another thread, or by a path that is not absolute", async () => {
    const { daemon, folder } = await open();
    daemon.begin(session, "engine");
    expect(await folder(session)).toBeUndefined();
    await expect(folder(titleThread.id)).rejects.toThrow("no rollout found");
    expect(await threadFolder({ path: "/nowhere/a.sock", thread: session, version: "1.0.0", timeout: 5_000 })).toBeUndefined();
  });

  test("is not asked of a socket that could be somebody else's", async () => {
    const { daemon, folder } = await open({ mode: 0o755 });
    await expect(folder(session)).rejects.toThrow("other users can reach");
    expect(daemon.connections()).toBe(0);
  });
});
