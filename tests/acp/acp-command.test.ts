import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findHub, requestHub } from "@askbox/home";
import { outcomeTextOf } from "@askbox/inbox/text";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectDesk, hubPid, openDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { killProcess } from "../faults/support/processes.ts";
import { until } from "../support/until.ts";
import { openEditor, outcome, picked } from "./support/editor.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

describe("askbox acp", () => {
  test("asks the editor and the inbox, gives the agent the inbox's decision, and closes the editor's prompt", async () => {
    const { desk, only, answer } = await openDesk(home);
    mkdirSync(join(home.path, ".git"));
    writeFileSync(join(home.path, ".git", "HEAD"), "ref: refs/heads/fix\n");
    writeFileSync(join(home.path, ".git", "config"), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n');
    const editor = await openEditor(home);
    const turn = editor.prompt("run npm test");
    const [request] = await editor.asked();
    const id = await only("pending");
    const place = { project: realpathSync(home.path), branch: "fix", repository: "github.com/acme/shop" };
    expect(await desk.get(id)).toMatchObject({
      title: "execute: npm test",
      asker: { client: { name: "toy-agent" }, conversation: "ses_1", ...place },
      questions: [
        {
          question: "May Toy run this command?",
          action: { kind: "command", command: "npm test" },
          agentOptions: [{ value: "agent:always", label: "Always allow every echo" }],
        },
      ],
    });
    await answer(id, ["allow"]);
    expect((await turn).result).toEqual({ stopReason: "end_turn" });
    expect(editor.said()).toBe(outcome("once"));
    expect(editor.received).toContainEqual({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: request.id } });
    editor.send(picked(request.id, "always"));
    await editor.prompt("hello");
    expect(editor.agentGot().filter((each) => each.id === request.id && each.method === undefined)).toEqual([
      { jsonrpc: "2.0", id: request.id, result: { outcome: { outcome: "selected", optionId: "once" } } },
    ]);
  });

  test.each([
    ["once", { kind: "answered", answers: [{ values: ["allow"] }] }, "Allowed once in Toy editor (reported from there)"],
    ["always", { kind: "answered", answers: [{ values: ["agent:always"] }] }, "Allowed in Toy editor (reported from there)"],
    ["no", { kind: "answered", answers: [{ values: ["deny"] }] }, "Denied in Toy editor (reported from there)"],
    ["never", { kind: "answered", answers: [{ values: ["deny"] }], comment: "Never again" }, "Denied in Toy editor (reported from there)"],
  ])("gives the agent the editor's %s, which is decided and recorded like any surface's", async (option, stored, said) => {
    const { desk, only } = await openDesk(home);
    const editor = await openEditor(home);
    const turn = editor.prompt("run npm test");
    const [request] = await editor.asked();
    const id = await only("pending");
    editor.send({ jsonrpc: "2.0", ...picked(request.id, option), _meta: { is: "forwarded" } });
    await turn;
    expect(editor.said()).toBe(outcome(option));
    expect(editor.agentGot()).toContainEqual(expect.objectContaining({ id: request.id, _meta: { is: "forwarded" } }));
    const view = await until("it is delivered", async () => (await desk.get(id)).delivery.deliveredAt !== null && desk.get(id));
    expect(view.outcome).toMatchObject({ ...stored, by: { surface: "client", name: "Toy editor" } });
    expect(outcomeTextOf(view, (text) => text)).toBe(said);
    const { stdout } = await home.run(["audit", "export"]);
    expect(JSON.parse(stdout.trim())).toMatchObject({ event: "decided", outcome: { by: { surface: "client", name: "Toy editor" } } });
  });

  test("records a prompt that was closed in the editor as declined there", async () => {
    const { desk, only } = await openDesk(home);
    const editor = await openEditor(home);
    const turn = editor.prompt("run npm test");
    const [request] = await editor.asked();
    await only("pending");
    editor.send({ id: request.id, result: { outcome: { outcome: "cancelled" } } });
    await turn;
    const view = await desk.get(await only("cancelled"));
    expect(outcomeTextOf(view, (text) => text)).toBe("Declined in Toy editor (reported from there)");
  });

  test("keeps to the inbox's decision while it could still be undone there", async () => {
    const { desk, only } = await openDesk(home);
    const editor = await openEditor(home);
    const turn = editor.prompt("run npm test");
    const [request] = await editor.asked();
    const id = await only("pending");
    const [question] = (await desk.get(id)).questions;
    await desk.answer(id, { answers: [{ questionId: question?.id ?? "", values: ["deny"] }] }, { delay: 30_000 });
    editor.send(picked(request.id, "once"));
    await turn;
    expect(editor.said()).toBe(outcome("no"));
    expect((await desk.get(id)).outcome?.by.surface).toBe("web");
  });

  test("shows the diff that came before the request, and takes one of the agent's own options by its name", async () => {
    const { desk, only, answer } = await openDesk(home);
    const editor = await openEditor(home, ["--answer", "inbox"]);
    const turn = editor.prompt("edit");
    const id = await only("pending");
    const [question] = (await desk.get(id)).questions;
    expect(question).toMatchObject({ action: { kind: "edit", path: "/p/a.ts", diff: expect.stringContaining("-x\n+y") } });
    await answer(id, ["agent:always"]);
    await turn;
    expect(editor.said()).toBe(outcome("always"));
    expect(editor.received.filter(({ method }) => method === "session/request_permission")).toEqual([]);
  });

  test("reads a request of the protocol's version 2", async () => {
    const { desk, only, answer } = await openDesk(home);
    const editor = await openEditor(home);
    const turn = editor.prompt("draft");
    const id = await only("pending");
    expect((await desk.get(id)).questions).toMatchObject([{ action: { kind: "command", command: "make", cwd: "/x", title: "To see it" } }]);
    await answer(id, ["deny"]);
    await turn;
    expect(editor.said()).toBe(outcome("no"));
  });

  test("rule 10: passes a signal on to the agent", async () => {
    const editor = await openEditor(home);
    editor.running.child.kill("SIGTERM");
    expect((await editor.running.done).code).toBe(143);
  });

  test("answers a cancelled turn at once, and withdraws the question", async () => {
    const { only } = await openDesk(home);
    const editor = await openEditor(home);
    const turn = editor.prompt("run npm test");
    await editor.asked();
    await only("pending");
    editor.send({ method: "session/cancel", params: { sessionId: "ses_1" } });
    expect((await turn).result).toEqual({ stopReason: "cancelled" });
    await only("cancelled");
    expect(editor.agentGot().at(-1)).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
  });

  test("declares forms for the editor, and has them answered in the inbox", async () => {
    const { only, answer } = await openDesk(home);
    const editor = await openEditor(home, ["--forms"]);
    expect(editor.agentGot()[0].params.clientCapabilities).toEqual({ elicitation: { form: {} } });
    const turn = editor.prompt("form");
    await answer(await only("pending"), ["sqlite"]);
    await turn;
    expect(JSON.parse(editor.said())).toEqual({ action: "accept", content: { db: "sqlite" } });
  });

  test("lets the editor alone decide if there is no hub", async () => {
    // An address where no hub is, and none is started.
    const editor = await openEditor(home, [], { env: { ASKBOX_HUB: "http://127.0.0.1:9", ASKBOX_TOKEN: "abx_none" } });
    const turn = editor.prompt("run npm test");
    const [request] = await editor.asked();
    const began = performance.now();
    editor.send(picked(request.id, "once"));
    await turn;
    expect(editor.said()).toBe(outcome("once"));
    expect(performance.now() - began).toBeLessThan(5_000);
    await editor.prompt("env ASKBOX_TOKEN");
    expect(editor.said()).toContain("undefined");
  });

  test("rule 10: has the agent's exit code, and says on stderr if it can't be started", async () => {
    const editor = await openEditor(home);
    editor.prompt("exit 7").catch(() => {});
    expect(await editor.running.done).toMatchObject({ code: 7, stderr: "" });
    const none = await home.spawn(["acp", "--", "no-such-agent"]);
    expect(none).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("can't be started") });
  });
});

describe("rule 10: a killed process", () => {
  test("that is the agent, the pass-through or the editor leaves no question behind, and nothing running", async () => {
    const { only, desk } = await openDesk(home);
    for (const victim of ["agent", "acp", "editor"] as const) {
      const editor = await openEditor(home);
      editor.prompt("run npm test").catch(() => {});
      await editor.asked();
      const id = await only("pending");
      if (victim === "editor") editor.running.child.stdin.destroy();
      else if (victim === "acp") editor.running.child.kill("SIGKILL");
      else editor.prompt("exit 9").catch(() => {});
      await until("the question is withdrawn", async () => (await desk.get(id)).status === "cancelled");
      const { code } = await editor.running.done;
      expect([victim, code]).toEqual([victim, { agent: 9, acp: "SIGKILL", editor: 0 }[victim]]);
    }
  });

  // promise: acp-same-question
  test.each(["killed", "stopped"] as const)("that is the hub, %s, leaves its question as it was for the next one", async (how) => {
    const { only } = await openDesk(home, "process");
    const editor = await openEditor(home, ["--answer", "inbox"]);
    const turn = editor.prompt("run npm test");
    const id = await only("pending");
    await (how === "killed" ? killProcess(hubPid(home)) : home.run(["hub", "stop"]));
    const { desk } = await connectDesk(home);
    await until("the agent waits for it again", async () => (await desk.get(id)).presence.asker === "attached");
    expect((await desk.list({})).items.map((each) => each.id)).toEqual([id]);
    const [question] = (await desk.get(id)).questions;
    await desk.answer(id, { answers: [{ questionId: question?.id ?? "", values: ["deny"] }] });
    await turn;
    expect(editor.said()).toBe(outcome("no"));
  });

  test("that is the hub and the agent leaves a question that is withdrawn, since nobody comes back for it", async () => {
    const { only } = await openDesk(home, "process");
    const editor = await openEditor(home, ["--answer", "inbox"]);
    editor.prompt("run npm test").catch(() => {});
    const id = await only("pending");
    editor.running.child.kill("SIGSTOP");
    await killProcess(hubPid(home));
    editor.running.child.kill("SIGKILL");
    const { desk } = await connectDesk(home);
    // Ten seconds after the start of the hub.
    await until("the question is withdrawn", async () => (await desk.get(id)).status === "cancelled", 25_000);
  });
});

// promise: acp-agent-only-asks
test("rule 11: the agent has no token, and what it can reach decides nothing", async () => {
  const { desk, only } = await openDesk(home);
  const hub = await findHub({ role: "asker", env: { ASKBOX_HOME: home.path } });
  const editor = await openEditor(home, [], { env: { ASKBOX_HUB: hub.url, ASKBOX_TOKEN: hub.token } });
  await editor.prompt("env");
  const env: Record<string, string> = JSON.parse(editor.said());
  expect(env["AI_AGENT"]).toBe("acp");
  expect(JSON.stringify(env)).not.toContain(hub.token);
  editor.prompt("run npm test").catch(() => {});
  const id = await only("pending");
  // Its shell, marked as it is.
  const shell = await home.run(["allow", id], { env: { AI_AGENT: "acp" } });
  expect([shell.code, shell.stderr]).toEqual([1, expect.stringContaining("agents must not allow questions")]);
  // The token of those who ask, which is in a file of the same user.
  const answers = [{ questionId: (await desk.get(id)).questions[0]?.id, values: ["allow"] }];
  const answered = requestHub(hub, { method: "POST", path: `/api/sessions/${id}/answer`, body: { answers } });
  await expect(answered).rejects.toMatchObject({ code: "FORBIDDEN" });
  // What an editor would have decided, for a request whose name is not known.
  const decided = { by: "Zed", value: "allow" };
  const over = { type: "over", conversation: "ses_1", run: "1", reason: "x", decided };
  await requestHub(hub, { method: "POST", path: "/hooks/acp", body: over });
  expect((await desk.get(id)).status).toBe("pending");
});
