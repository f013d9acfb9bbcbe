import { askResultSchema } from "@askbox/core/schemas";
import { createAskServer, dialectNames, takeListens, tasksExtension } from "@askbox/mcp";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import fc from "fast-check";
import { fuzz } from "../engine/fuzz.ts";
import { mutated, mutatedPart } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { assertSentence, fault, maxSentenceLength } from "../engine/oracle.ts";
import { ask, otherAsks } from "../engine/samples.ts";
import { openWorld, turns } from "../engine/world.ts";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { extensions: { [tasksExtension]: {} } },
};
const session = "@@session@@";
const asks = [
  ask,
  ...otherAsks,
  { question: "Go on?", agent_id: "a", options: ["yes", "no"], timeout_seconds: 60 },
  { prompt: "What?", choices: ["a"] },
  { message: "What?", predefined_options: ["a", "b"], is_markdown: false },
  { projectName: "p", message: "What?", predefinedOptions: ["a"] },
  { project_directory: "/srv", summary: "What?\nSo.", timeout: 60 },
  { question: "What?", title: "T", agentName: "A", options: [{ title: "One", options: ["a", { label: "b" }], multiSelect: true }] },
  { plan: "# Plan\n\n1. So.", title: "T", chatId: "c" },
];
const askCalls = dialectNames.flatMap((name) => asks.map((args) => ({ method: "tools/call", params: { name, arguments: args } })));
const otherCalls = [
  { method: "tools/call", params: { name: "get_answer", arguments: { sessionId: session, wait: 10 } } },
  { method: "tools/call", params: { name: "get_answer", arguments: { sessionId: session, reply: "So.", wait: 10 } } },
  { method: "tools/call", params: { name: "ask_user", arguments: { ...ask, replaces: session } } },
  { method: "tools/call", params: { name: "ask_human", arguments: { question: "So.", agent_id: "a", in_reply_to: session } } },
  { method: "tools/call", params: { name: "get_answer", arguments: {} } },
  { method: "tasks/get", params: { taskId: session } },
  { method: "tasks/cancel", params: { taskId: session } },
  { method: "tasks/update", params: { taskId: session, inputResponses: {} } },
  { method: "tools/list", params: {} },
  { method: "ping", params: {} },
];
/** As sent in revision 2026-07-28, or in earlier ones after their initialisation. */
const envelope = ({ method, params }: (typeof askCalls | typeof otherCalls)[number], old: boolean) => ({
  jsonrpc: "2.0",
  id: 7,
  method,
  params: { ...params, _meta: old ? { progressToken: 3 } : meta },
});
const message = (old: boolean) =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.oneof(fc.constantFrom(...askCalls), fc.constantFrom(...otherCalls)).chain((call) => {
        const { arguments: args, ...params }: { arguments?: unknown } = call.params;
        const shell = envelope(call, old);
        return args === undefined
          ? mutatedPart({ ...shell, params: "@@part@@" }, shell.params)
          : mutatedPart({ ...shell, params: { ...shell.params, ...params, arguments: "@@part@@" } }, args);
      }),
    },
    {
      weight: 1,
      arbitrary: mutated([...[...askCalls, ...otherCalls].map((call) => envelope(call, old)), ...notifications], { damage: 0 }),
    },
  );
const notifications = [
  { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7, reason: "x" } },
  { jsonrpc: "2.0", method: "notifications/roots/list_changed" },
  { jsonrpc: "2.0", id: 3, result: { roots: [{ uri: "file:///srv" }] } },
];
const handshake = [
  {
    jsonrpc: "2.0",
    id: "h",
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: { name: "x", version: "1" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

/** What a client may send to an MCP server on stdio: calls of every tool, tasks, and everything else. */
fuzz({
  name: "mcp",
  input: fc
    .boolean()
    .chain((old) => fc.record({ old: fc.constant(old), sent: fc.array(message(old), { minLength: 1, maxLength: 4, size: "max" }) })),
  runs: 300,
  open: () => ({
    async take({ old, sent }) {
      const world = await openWorld({ isAskedBack: sent.length % 2 === 0 });
      const asker = world.broker.asker("one");
      const server = createAskServer({
        asker: async () => asker,
        identity: async () => ({ project: "/srv" }),
        platform: world.platform,
        version: "1.0.0",
        tools: [...dialectNames],
        log: world.log,
        maxWait: 20_000,
      });
      await server.warmUp();
      const [near, far] = InMemoryTransport.createLinkedPair();
      const handle = serveStdio(server.factory, { transport: far });
      takeListens(far);
      const answered: JSONRPCMessage[] = [];
      near.onmessage = (message) => answered.push(JSON.parse(JSON.stringify(message)));
      await near.start();
      const send = async (message: unknown) => {
        await near.send(message as JSONRPCMessage);
        await turns();
      };
      if (old) for (const message of handshake) await send(message);
      for (const text of sent) await send(JSON.parse(writeOut(text).replaceAll(session, world.session)));
      // Everything asked by now is answered by a person, or returned as a ticket.
      const desk = world.broker.desk({ surface: "cli" });
      for (const { id } of (await desk.list({ statuses: ["pending"] })).items) await desk.cancel(id, { reason: "no" });
      await world.platform.clock.advance(60_000);
      const before = answered.length;
      for (const message of answered) assertAnswer(message);
      if (old) {
        await send({ jsonrpc: "2.0", id: "last", method: "tools/list", params: {} });
      } else await send({ jsonrpc: "2.0", id: "last", method: "tools/list", params: { _meta: meta } });
      if (answered.length === before) fault("The server does not answer any more.");
      await handle.close();
      asker.close();
      await world.assertServes();
      await world.close();
    },
  }),
});

interface Answered {
  error?: { code: number; message: string };
  result?: { content?: { text?: string }[]; structuredContent?: unknown; isError?: boolean };
}

function assertAnswer(message: JSONRPCMessage): void {
  const { error, result } = message as Answered;
  if (error !== undefined) {
    if (error.code === -32_603) fault(`A call became an accident: ${error.message}`);
    // Messages for protocol errors come from the SDK.
    if (error.message.length > maxSentenceLength * 4)
      fault(`An error has ${error.message.length} characters: ${error.message.slice(0, 200)}`);
  }
  if (result?.isError === true) for (const { text } of result.content ?? []) assertSentence(text, "A refused call");
  const structured = result?.structuredContent as { answered?: unknown } | undefined;
  if (structured?.answered !== undefined && !askResultSchema.safeParse(structured).success) fault("A result is not as it is promised.");
}
