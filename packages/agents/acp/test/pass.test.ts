import { describe, expect, it } from "vitest";
import { maxLine } from "../src/lines.ts";
import { allow, deny, form, initialize, notified, options, permission, picked, refused, toyPass } from "./support.ts";

describe("rule 1: what is forwarded", () => {
  it("is the same to the byte, whatever it is", () => {
    const lines = [
      '{"jsonrpc":"2.0", "id" : 1.0,"method":"_x/own","params":{"_meta":{"a":[1,2]}}}\n',
      '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":9,"result":1}]\n',
      "not json at all\r\n",
      "\n",
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"fs/read_text_file","params":{"path":"/ü"}}\n',
      '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c"}}}\n',
      "a last line without an end",
    ];
    const bytes = Buffer.from(lines.join(""));
    for (const side of ["agent", "editor"] as const) {
      const { ends, received } = toyPass({ answer: "editor" });
      const end = ends[side];
      // In pieces that end anywhere, also within a character.
      for (let at = 0; at < bytes.length; at += 7) end.push(bytes.subarray(at, at + 7));
      end.end();
      expect(Buffer.concat(received[side === "agent" ? "editor" : "agent"])).toEqual(bytes);
    }
  });

  it("includes a line that is too long to be read, into which nothing of ours is written", async () => {
    const { received, ends, fromAgent, asks, settle } = toyPass();
    fromAgent(permission(1));
    const line = Buffer.alloc(maxLine + 1_000_000, "x");
    ends.agent.push(line);
    asks[0]?.decide(allow);
    await settle();
    expect(received.editor.at(-1)?.at(-1)).toBe("x".charCodeAt(0));
    ends.agent.push(Buffer.from("y\n"));
    expect(Buffer.concat(received.editor.slice(1)).toString().slice(line.length)).toBe(
      `y\n${JSON.stringify(notified("$/cancel_request", { requestId: 1 }))}\n`,
    );
  });

  it("includes a permission request that the editor is shown, with the editor's answer", () => {
    const { fromAgent, fromEditor, asks, raw } = toyPass();
    const request = `{"jsonrpc":"2.0",  "id":0,"method":"session/request_permission","params":${JSON.stringify(permission(0).params)}}\n`;
    fromAgent(request);
    expect(raw("editor")).toEqual([request]);
    if (asks[0]) asks[0].isHeld = false;
    fromEditor('{"id":0, "jsonrpc":"2.0","result":{"outcome":{"outcome":"selected","optionId":"once"}}}\n');
    expect(raw("agent")).toEqual(['{"id":0, "jsonrpc":"2.0","result":{"outcome":{"outcome":"selected","optionId":"once"}}}\n']);
  });
});

describe("rule 2: ids", () => {
  it("are told apart by their JSON: 0, and the text 0", async () => {
    const { fromAgent, asks, toAgent, settle } = toyPass();
    fromAgent(permission(0), permission("0"));
    asks[1]?.decide(allow);
    await settle();
    expect(toAgent()).toEqual([picked("0", "once")]);
    asks[0]?.decide(deny);
    await settle();
    expect(toAgent()).toEqual([picked("0", "once"), picked(0, "no")]);
  });

  it("that were answered are free for the agent's next request", async () => {
    const { fromAgent, fromEditor, asks, toAgent, toEditor, settle } = toyPass();
    fromAgent(permission(5));
    asks[0]?.decide(allow);
    await settle();
    fromAgent({ jsonrpc: "2.0", id: 5, method: "fs/read_text_file", params: {} });
    fromEditor({ jsonrpc: "2.0", id: 5, result: { content: "x" } });
    expect(toAgent().at(-1)).toEqual({ jsonrpc: "2.0", id: 5, result: { content: "x" } });
    expect(toEditor().filter(({ id }) => id === 5)).toHaveLength(2);
  });
});

describe("rules 4 and 6: who answers", () => {
  it("gives the agent the inbox's decision, and closes the editor's prompt; what the editor still says is swallowed", async () => {
    const { fromAgent, fromEditor, asks, toAgent, toEditor, settle } = toyPass();
    fromAgent(permission(1));
    asks[0]?.decide(deny);
    await settle();
    fromEditor(refused(1), { jsonrpc: "2.0", id: 1, error: { code: -32_800, message: "cancelled" } }, picked(1, "always"));
    expect(toAgent()).toEqual([picked(1, "no")]);
    expect(toEditor().at(-1)).toEqual(notified("$/cancel_request", { requestId: 1 }));
  });

  it("says nothing to an editor that would warn of it", async () => {
    const { fromAgent, fromEditor, asks, toAgent, toEditor, settle } = toyPass();
    fromEditor({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1, clientInfo: { name: "Agentic.nvim" } } });
    fromAgent(permission(1));
    asks[0]?.decide(allow);
    await settle();
    expect([toAgent().length, toEditor().length]).toEqual([2, 1]);
  });

  it("lets the decision stand that the hub has, when both answer at the same time", async () => {
    const { fromAgent, fromEditor, asks, toAgent, toEditor, settle } = toyPass();
    fromEditor(initialize(1));
    fromAgent(permission(1));
    fromEditor(picked(1, "once"));
    expect(asks[0]).toMatchObject({ ended: "It was answered in Toy editor.", decision: { by: "Toy editor", value: "allow" } });
    expect(toAgent().slice(1)).toEqual([]);
    asks[0]?.decide(deny);
    await settle();
    expect(toAgent().slice(1)).toEqual([picked(1, "no")]);
    expect(toEditor().filter(({ method }) => method === "$/cancel_request")).toEqual([]);
  });

  it.each([
    ["once", { value: "allow" }],
    ["always", { value: "agent:always" }],
    ["no", { value: "deny" }],
    ["never", { value: "deny", comment: "Never again" }],
    ["odd", undefined],
    ["unknown", undefined],
  ])("tells the inbox what the editor's %s decides, by its kind", (option, decision) => {
    const { fromAgent, fromEditor, asks } = toyPass();
    fromEditor(initialize(1));
    fromAgent(permission(1), permission(2));
    fromEditor(picked(1, option), refused(2));
    expect(asks.map((each) => each.decision)).toEqual([decision && { by: "Toy editor", ...decision }, { by: "Toy editor" }]);
  });

  it("lets the editor's answer stand if the hub knows of none, or says nothing for two seconds", async () => {
    const { fromAgent, fromEditor, asks, toAgent, timers, settle } = toyPass();
    fromAgent(permission(1), permission(2));
    fromEditor(picked(1, "once"), picked(2, "always"));
    asks[0]?.decide(undefined);
    await settle();
    expect(toAgent()).toEqual([picked(1, "once")]);
    expect(timers.map(({ after }) => after)).toEqual([2_000]);
    timers[0]?.run();
    expect(toAgent()).toEqual([picked(1, "once"), picked(2, "always")]);
    await settle();
    expect(toAgent()).toHaveLength(2);
  });

  it("waits for nothing if there is no hub: the editor alone decides", () => {
    const { fromAgent, fromEditor, asks, toAgent } = toyPass();
    fromAgent(permission(1));
    if (asks[0]) asks[0].isHeld = false;
    asks[0]?.away();
    fromEditor(refused(1));
    expect(toAgent()).toEqual([refused(1)]);
  });

  it("takes an editor's error for no answer as long as the inbox may give one", async () => {
    const error = (id: number) => ({ jsonrpc: "2.0", id, error: { code: -32_601, message: "unknown" } });
    const { fromAgent, fromEditor, asks, toAgent, settle } = toyPass();
    fromAgent(permission(1), permission(2), permission(3));
    fromEditor(error(1), error(2), error(3));
    expect(toAgent()).toEqual([]);
    asks[0]?.decide(allow);
    asks[1]?.decide(undefined);
    asks[2]?.away();
    await settle();
    expect(toAgent()).toEqual([error(3), picked(1, "once"), error(2)]);
  });

  it("shows the request to the editor alone at first with --after, and asks the inbox at once if the editor can't", () => {
    const { fromAgent, fromEditor, asks, timers, toEditor } = toyPass({ after: 20_000 });
    fromAgent(permission(1), permission(2));
    expect([asks.length, toEditor().length, timers[0]?.after]).toEqual([0, 2, 20_000]);
    timers[0]?.run();
    expect(asks).toHaveLength(1);
    fromEditor({ jsonrpc: "2.0", id: 2, error: { code: 1, message: "no" } });
    expect(asks).toHaveLength(2);
  });

  it("keeps the request from the editor with --answer inbox, unless there is no hub or nobody decided", async () => {
    const { fromAgent, asks, toEditor, settle } = toyPass({ answer: "inbox" });
    fromAgent(permission(1), permission(2));
    expect(toEditor()).toEqual([]);
    asks[0]?.away();
    asks[1]?.decide(undefined);
    await settle();
    expect(toEditor().map(({ id }) => id)).toEqual([1, 2]);
  });

  it("asks the inbox nothing with --answer editor", () => {
    const { fromAgent, asks } = toyPass({ answer: "editor" });
    fromAgent(permission(1));
    expect(asks).toEqual([]);
  });

  it("answers what a batch of the editor answers only once, and forwards the rest of it", async () => {
    const { fromAgent, fromEditor, asks, toAgent, settle } = toyPass();
    fromAgent(permission(1));
    asks[0]?.decide(allow);
    await settle();
    fromEditor([refused(1), notified("x", {})]);
    expect(toAgent()).toEqual([picked(1, "once"), notified("x", {})]);
  });
});

describe("rule 3: options", () => {
  it("are picked by kind, wherever they stand, and a lasting one only by its own id", async () => {
    const { fromAgent, asks, toAgent, settle } = toyPass();
    fromAgent(permission(1), permission(2), permission(3, { options: options.slice(0, 2) }));
    asks[0]?.decide(allow);
    asks[1]?.decide({ ...allow, optionId: "always" });
    asks[2]?.decide(deny);
    await settle();
    expect(toAgent()).toEqual([picked(1, "once"), picked(2, "always"), refused(3)]);
  });

  it("that don't allow once leave the request to the editor", () => {
    const { fromAgent, asks, toEditor } = toyPass({ answer: "inbox" });
    fromAgent(permission(1, { options: options.slice(0, 1) }));
    expect([asks.length, toEditor().length]).toEqual([0, 1]);
  });
});

describe("rule 3: what came before a request", () => {
  const update = (params: object, sessionId = "s1") => notified("session/update", { sessionId, update: params });

  it("goes with it, by session and call", () => {
    const { fromAgent, asks } = toyPass();
    const call = update({ sessionUpdate: "tool_call", toolCallId: "c1", content: [{ type: "diff", path: "/a", newText: "y" }] });
    fromAgent(
      call,
      update({ sessionUpdate: "tool_call", toolCallId: "c1" }, "s2"),
      update({ sessionUpdate: "tool_call", toolCallId: "c2" }),
    );
    fromAgent(permission(1));
    expect(asks[0]?.ask.calls.map((line) => JSON.parse(line.toString()))).toEqual([call]);
  });

  it("is forgotten when the call has run, and leaves the request to the editor if it was too much to keep", () => {
    const { fromAgent, asks, toEditor } = toyPass({ answer: "inbox" });
    fromAgent(
      update({ sessionUpdate: "tool_call", toolCallId: "c1" }),
      update({ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" }),
    );
    fromAgent(permission(1));
    expect(asks[0]?.ask.calls).toEqual([]);
    fromAgent(update({ sessionUpdate: "tool_call", toolCallId: "c1", rawInput: { text: "x".repeat(1_100_000) } }), permission(2));
    expect([asks.length, toEditor().at(-1)?.id]).toEqual([1, 2]);
  });
});

describe("rules 5 and 9: what ends a request", () => {
  const opened = () => {
    const toy = toyPass();
    toy.fromEditor({ jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/project", mcpServers: [] } });
    toy.fromAgent({ jsonrpc: "2.0", id: 1, result: { sessionId: "s1" } });
    toy.fromEditor({ jsonrpc: "2.0", id: 2, method: "session/prompt", params: { sessionId: "s1", prompt: [] } });
    toy.received.agent.length = 0;
    return toy;
  };

  it.each(["session/cancel", "session/close"])("%s answers the agent at once, and no later decision reaches it", async (method) => {
    const { fromAgent, fromEditor, asks, toAgent, settle } = opened();
    fromAgent(permission(7), permission(8, { sessionId: "child" }));
    expect(asks[0]?.ask.cwd).toBe("/project");
    fromEditor(notified(method, { sessionId: "s1" }));
    expect(toAgent()).toEqual([notified(method, { sessionId: "s1" }), refused(7), refused(8)]);
    expect(asks.map(({ ended }) => ended)).toEqual(["It was cancelled in the editor.", "It was cancelled in the editor."]);
    asks[0]?.decide(allow);
    fromEditor(refused(7), picked(8, "once"));
    await settle();
    expect(toAgent()).toHaveLength(3);
  });

  it("a cancelled turn also refuses the request that was on its way, until the turn has ended", () => {
    const { fromAgent, fromEditor, asks, toAgent, toEditor } = opened();
    fromEditor(notified("session/cancel", { sessionId: "s1" }));
    fromAgent(permission(9));
    expect(toAgent().at(-1)).toEqual(refused(9));
    expect([asks.length, toEditor().some(({ id }) => id === 9)]).toEqual([0, false]);
    fromAgent({ jsonrpc: "2.0", id: 2, result: { stopReason: "cancelled" } });
    fromAgent(permission(10));
    expect(asks).toHaveLength(1);
  });

  it("a cancelled turn of version 2, whose prompt was answered at once, ends when the agent says so", () => {
    const { fromAgent, fromEditor, asks, toAgent } = toyPass();
    const state = (state: string) => notified("session/update", { sessionId: "s1", update: { sessionUpdate: "state_update", state } });
    fromEditor(initialize(1));
    fromAgent({ jsonrpc: "2.0", id: 1, result: { protocolVersion: 2 } });
    fromEditor({ jsonrpc: "2.0", id: 2, method: "session/new", params: { cwd: "/project", mcpServers: [] } });
    fromAgent({ jsonrpc: "2.0", id: 2, result: { sessionId: "s1" } });
    // Nothing is at work yet, so nothing is cancelled.
    fromEditor(notified("session/cancel", { sessionId: "s1" }), {
      jsonrpc: "2.0",
      id: 3,
      method: "session/prompt",
      params: { sessionId: "s1", prompt: [] },
    });
    fromAgent({ jsonrpc: "2.0", id: 3, result: {} }, state("running"));
    fromEditor(notified("session/cancel", { sessionId: "s1" }));
    fromAgent(permission(9), state("requires_action"), permission(10));
    expect([asks.length, toAgent().slice(-2)]).toEqual([0, [refused(9), refused(10)]]);
    fromAgent(state("idle"), permission(11));
    expect(asks).toHaveLength(1);
  });

  it("a session that is cancelled leaves the others alone", () => {
    const { fromAgent, fromEditor, asks } = opened();
    fromEditor({ jsonrpc: "2.0", id: 3, method: "session/load", params: { sessionId: "s2", cwd: "/other" } });
    fromAgent(permission(7, { sessionId: "s2" }));
    fromEditor(notified("session/cancel", { sessionId: "s1" }));
    expect(asks[0]?.ended).toBeUndefined();
  });

  it("a request that the agent takes back is answered with -32800, and closed in the editor", async () => {
    const { fromAgent, fromEditor, asks, toAgent, toEditor, settle } = opened();
    fromAgent(permission(7), notified("$/cancel_request", { requestId: 7 }));
    expect(toAgent()).toMatchObject([{ id: 7, error: { code: -32_800 } }]);
    expect(toEditor().at(-1)).toEqual(notified("$/cancel_request", { requestId: 7 }));
    asks[0]?.decide(allow);
    fromEditor(picked(7, "once"));
    await settle();
    expect(toAgent()).toHaveLength(1);
  });

  it("nothing is answered after a process has gone", async () => {
    const { pass, fromAgent, asks, toAgent, settle } = opened();
    fromAgent(permission(7));
    await pass.end();
    expect(asks[0]?.ended).toBe("The agent has left.");
    asks[0]?.decide(allow);
    await settle();
    expect(toAgent()).toEqual([]);
  });
});

describe("rule 7: forms", () => {
  it("are declared for an editor without them, and stay in the inbox", async () => {
    const { fromAgent, fromEditor, asks, toAgent, toEditor, settle } = toyPass({ forms: true });
    fromEditor(initialize(1, { fs: { readTextFile: true }, elicitation: { url: {} } }));
    expect(toAgent()[0].params.clientCapabilities).toEqual({ fs: { readTextFile: true }, elicitation: { url: {}, form: {} } });
    fromAgent(form(3), form(4), form(5, { mode: "url" }));
    expect(toEditor().map(({ id }) => id)).toEqual([5]);
    asks[0]?.decide({ kind: "form", result: { action: "accept", content: { db: "pg" } } });
    asks[1]?.decide(undefined);
    await settle();
    expect(toAgent().slice(1)).toEqual([
      { jsonrpc: "2.0", id: 3, result: { action: "accept", content: { db: "pg" } } },
      { jsonrpc: "2.0", id: 4, result: { action: "cancel" } },
    ]);
  });

  it("of an editor that has them itself go both ways, and initialize stays as it was", async () => {
    const { fromAgent, fromEditor, raw, asks, toEditor } = toyPass({ forms: true });
    const line = `${JSON.stringify(initialize(1, { elicitation: { form: {} } }))} \n`;
    fromEditor(line);
    expect(raw("agent")).toEqual([line]);
    fromAgent(form(3));
    expect([asks.length, toEditor().length]).toEqual([1, 1]);
  });
});

describe("rule 8: our server", () => {
  const server = { name: "askbox", command: "node", args: ["askbox", "mcp"], env: [] };

  it("is added to a session once, and Claude asks no permission for it", () => {
    const { fromEditor, toAgent, raw } = toyPass({ server });
    fromEditor({
      jsonrpc: "2.0",
      id: 1,
      method: "session/new",
      params: { cwd: "/p", mcpServers: [], _meta: { claudeCode: { options: { allowedTools: ["Read"] } } } },
    });
    const [{ params }] = toAgent();
    expect(params.mcpServers).toEqual([server]);
    expect(params._meta.claudeCode.options.allowedTools).toEqual(["Read", "mcp__askbox__ask_user", "mcp__askbox__get_answer"]);
    const line = `${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "session/resume", params: { sessionId: "s", cwd: "/p", mcpServers: [server] } })}\n`;
    fromEditor(line);
    expect(raw("agent")[1]).toBe(line);
  });
});
