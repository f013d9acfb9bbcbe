import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseAsk } from "@askbox/core";
import { seededIds } from "@askbox/core/testing";
import { connectHub } from "@askbox/home";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { hubPid, openDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { killProcess, processesOf } from "../faults/support/processes.ts";
import { until } from "../support/until.ts";
import { opencodeEvents } from "./support/opencode-events.ts";

interface Plugin {
  event(input: { event: { type: string; properties: object } }): Promise<void>;
  dispose(): Promise<void>;
}
type Event = (typeof opencodeEvents)["command" | "mcpTool" | "subagent"];
type OpenPlugin = (input: { client: object; directory: string }) => Promise<Plugin>;

let home: Home;
let file: string;
beforeEach(async () => {
  home = await openHome();
  expect((await home.run(["install", "opencode", "--approvals"])).code).toBe(0);
  file = join(home.path, ".config", "opencode", "plugins", "askbox-approvals.js");
});
afterEach(() => home.close());

/** The plugin written by `install`, in a stand-in of OpenCode 1.18.33's server. */
async function openPlugin(failure?: string) {
  const module: { AskboxApprovals: OpenPlugin } = await import(pathToFileURL(file).href);
  const replies: object[] = [];
  /** The session states it was told. */
  const looks: object[] = [];
  const parts: object[] = [];
  const status: Record<string, { type: string }> = {};
  const parents: Record<string, string> = {};
  const client = {
    session: {
      message: async () => ({ data: { parts } }),
      get: async ({ path }: { path: { id: string } }) => ({ data: { id: path.id, parentID: parents[path.id] } }),
      status: async () => {
        looks.push({ ...status });
        return { data: status };
      },
    },
    mcp: { status: async () => ({ data: { "git hub": { status: "connected" } } }) },
    _client: {
      post: async ({ url, path, body }: { url: string; path: { requestID: string; id: string }; body: object }) => {
        replies.push([url.replace("{requestID}", path.requestID).replace("{id}", path.id), body]);
        return failure === undefined ? {} : { error: failure };
      },
    },
  };
  const plugin = await module.AskboxApprovals({ client, directory: home.path });
  onTestFinished(() => plugin.dispose());
  const send = (type: string, properties: object) => plugin.event({ event: { type, properties } });
  const note = ({ properties: { tool }, call }: Event, state: string) => ({
    type: "tool",
    callID: tool.callID,
    tool: call.tool,
    state: { status: state, input: state === "pending" ? {} : call.input },
  });
  const ask = async (event: Event, state = "running") => {
    status[event.properties.sessionID] = { type: "busy" };
    parts.splice(0, parts.length, note(event, state));
    await send("permission.asked", event.properties);
  };
  return { replies, looks, status, parents, send, ask, note };
}

const { command, mcpTool, subagent } = opencodeEvents;
const { sessionID, id: requestID } = command.properties;
const replied = (body: object) => [[`/permission/${requestID}/reply`, body]];
const hooks = () => processesOf(home.path).filter((pid) => pid !== hubPid(home));
const noHooks = () => expect.poll(() => hooks()).toEqual([]);

test("OpenCode receives a person's permission, or their reason for a denial", async () => {
  const [{ only, answer }, { ask, replies }] = [await openDesk(home), await openPlugin()];
  await ask(command);
  await answer(await only("pending"), ["allow"]);
  await expect.poll(() => replies).toEqual(replied({ reply: "once" }));
  replies.length = 0;
  await ask(command);
  await answer(await only("pending"), ["deny"], "Use b.txt");
  await expect
    .poll(() => replies)
    .toEqual(replied({ reply: "reject", message: "A person denied this in askbox, and it was not run. Their words: Use b.txt" }));
});

test("a request belongs to OpenCode's folder and the session that a person started", async () => {
  const [{ desk, only }, { ask, parents }] = [await openDesk(home), await openPlugin()];
  parents[subagent.properties.sessionID] = subagent.root;
  await ask(subagent);
  expect((await desk.get(await only("pending")))?.asker).toMatchObject({
    project: realpathSync(home.path),
    conversation: subagent.root,
    agentId: subagent.properties.sessionID,
  });
});

test("a call that OpenCode has not recorded yet is asked about once it has, with its arguments", async () => {
  const [{ desk, only }, { ask, send, note }] = [await openDesk(home), await openPlugin()];
  await ask(mcpTool, "pending");
  await send("message.part.updated", { part: note(mcpTool, "pending") });
  await send("message.part.updated", { part: { type: "text", text: "x" } });
  await send("message.part.updated", { part: note(mcpTool, "running") });
  const [question] = (await desk.get(await only("pending")))?.questions ?? [];
  expect(question).toMatchObject({ action: { tool: "git_hub_create_issue", input: mcpTool.call.input } });
});

test.each([
  ["the person answered in OpenCode", "permission.replied", { sessionID, requestID, reply: "once" }],
  ["the session was aborted", "session.error", { sessionID, error: { name: "MessageAbortedError", data: { message: "Aborted" } } }],
  ["the agent's turn has ended", "session.idle", { sessionID }],
  ["the session was deleted", "session.deleted", { info: { id: sessionID } }],
])("a request is withdrawn when %s, and nothing is sent", async (_what, type, properties) => {
  const [{ only }, { ask, send, replies }] = [await openDesk(home), await openPlugin()];
  await ask(command);
  const id = await only("pending");
  await send(type, properties);
  expect(await only("cancelled")).toBe(id);
  await noHooks();
  expect(replies).toEqual([]);
});

test("an end of another request or session changes nothing", async () => {
  const [{ only, answer }, { ask, send, replies }] = [await openDesk(home), await openPlugin()];
  await ask(command);
  await only("pending");
  await send("permission.replied", { sessionID, requestID: "per_other", reply: "reject" });
  await send("session.idle", { sessionID: "ses_other" });
  await send("session.error", {});
  await answer(await only("pending"), ["allow"]);
  await expect.poll(() => replies).toEqual(replied({ reply: "once" }));
});

// OpenCode runs what is allowed after an abort.
test.each([[undefined], [{ type: "idle" }]])(
  "a permission is not sent if the session is %j by then, even without an event",
  async (state) => {
    const [{ only, answer }, { ask, status, looks, replies }] = [await openDesk(home), await openPlugin()];
    await ask(command);
    await only("pending");
    if (state === undefined) delete status[sessionID];
    else status[sessionID] = state;
    await answer(await only("pending"), ["allow"]);
    await expect.poll(() => looks.length).toBe(1);
    // A reply would follow at once, without further delay.
    await new Promise(setImmediate);
    expect(replies).toEqual([]);
  },
);

test("the request is left to OpenCode if the hook or the hub is killed, and the next hub withdraws it", async () => {
  const [{ client, only }, { ask, replies }] = [await openDesk(home, "process"), await openPlugin()];
  await ask(command);
  const id = await only("pending");
  for (const pid of hooks()) killProcess(pid);
  expect(await only("cancelled")).toBe(id);
  await ask(command);
  await only("pending");
  client.close();
  killProcess(hubPid(home));
  await noHooks();
  expect(replies).toEqual([]);
  const { desk } = await openDesk(home, "process");
  const reasons = (await desk.list({ statuses: ["cancelled"] })).items.map(
    ({ outcome }) => outcome?.kind === "cancelled" && outcome.reason,
  );
  expect(reasons).toEqual(["The hub stopped before anybody decided.", "opencode no longer waits."]);
  expect((await desk.list({ statuses: ["pending"] })).items).toEqual([]);
});

test.each([
  ["", 0],
  ["null", 0],
  ["{", 0],
  ['{"reply":"always"}', 0],
  ['{"reply":"reject"}', 0],
  ['{"reply":"reject","message":""}', 0],
  ['{"reply":"once"}', 1],
])("a hook that prints %j and ends with %i decides nothing", async (text, code) => {
  const script = join(home.path, "hook.sh");
  writeFileSync(script, `cat > "$0.in"\nprintf '%s' '${text}'\necho > "$0.ran"\nexit ${code}\n`);
  useHook(script);
  const { ask, replies } = await openPlugin();
  await ask(command);
  await expect.poll(() => existsSync(`${script}.ran`)).toBe(true);
  // A second request with an answer proves that this one has been read.
  // Renamed, since the shell may still be reading the first one.
  writeFileSync(`${script}.new`, `printf '%s' '{"reply":"once"}'\n`);
  renameSync(`${script}.new`, script);
  await ask({ ...command, properties: { ...command.properties, id: "per_last" } } as unknown as Event);
  await expect.poll(() => replies).toEqual([["/permission/per_last/reply", { reply: "once" }]]);
  expect(JSON.parse(readFileSync(`${script}.in`, "utf8"))).toEqual({ ...command, servers: ["git hub"] });
});

/** Makes the plugin run another program. */
function useHook(script: string): void {
  const line = `const line = ${JSON.stringify(`sh ${script}`)};`;
  writeFileSync(file, readFileSync(file, "utf8").replace(/^const line = .*$/m, line));
}

test("a request is withdrawn when OpenCode is killed", async () => {
  const { only } = await openDesk(home);
  const { properties, call } = command;
  const part = { type: "tool", callID: properties.tool.callID, tool: call.tool, state: { status: "running", input: call.input } };
  const host = `
    const { AskboxApprovals } = await import(${JSON.stringify(pathToFileURL(file).href)});
    const session = { message: async () => ({ data: { parts: [${JSON.stringify(part)}] } }), get: async () => ({}), status: async () => ({}) };
    const client = { session, mcp: { status: async () => ({}) } };
    const { event } = await AskboxApprovals({ client, directory: ${JSON.stringify(home.path)} });
    await event({ event: { type: "permission.asked", properties: ${JSON.stringify(properties)} } });`;
  const opencode = spawn(process.execPath, ["--input-type=module", "--eval", host], { stdio: "ignore" });
  const closed = once(opencode, "close");
  const id = await only("pending");
  opencode.kill("SIGKILL");
  await closed;
  expect(await only("cancelled")).toBe(id);
});

/** A question whose call has ended with a ticket, and the ticket as OpenCode's plugin sees it. */
async function askedWithTicket(send: (type: string, properties: object) => Promise<void>) {
  const env = { ASKBOX_HOME: home.path };
  const { asker, close } = await connectHub({ role: "asker", start: false, agent: { name: "test", version: "1" }, env });
  const request = parseAsk({ questions: [{ id: "q", question: "Which way?" }] }, { ids: seededIds() });
  const { session } = await asker.ask(request, { asker: { client: { name: "opencode" } }, maxWait: 1 });
  close();
  const state = { status: "completed", output: JSON.stringify({ pending: true, sessionId: session.id }) };
  const part = { type: "tool", callID: "call_1", sessionID, tool: "askbox_ask_user", state };
  await send("message.part.updated", { part });
  await send("message.part.updated", { part });
  await until("a hook waits", () => hooks().length === 1);
  return session.id;
}

test("An answer to a question whose call has ended becomes a message in OpenCode, and counts as delivered", async () => {
  const [{ desk, answer }, { replies, send }] = [await openDesk(home), await openPlugin()];
  const id = await askedWithTicket(send);
  await until("it waits at the hub", async () => (await desk.outlook(id)).next === "continues");
  await answer(id, ["Left"]);
  await until("it has a message", () => replies.length > 0);
  expect(replies).toEqual([[`/session/${sessionID}/prompt_async`, { parts: [{ type: "text", text: expect.stringContaining("Left") }] }]]);
  await until("it is woken", async () => (await desk.get(id)).waking?.state === "woken");
  expect((await desk.get(id)).delivery.deliveredAt).not.toBeNull();
  await noHooks();
});

test("A message that OpenCode refuses leaves the answer, with the reason", async () => {
  const [{ desk, answer }, { send }] = [await openDesk(home), await openPlugin("no such session")];
  const id = await askedWithTicket(send);
  await until("it waits at the hub", async () => (await desk.outlook(id)).next === "continues");
  await answer(id, ["Left"]);
  await until("it has failed", async () => (await desk.get(id)).waking?.state === "failed");
  expect((await desk.get(id)).delivery.deliveredAt).toBeNull();
});
