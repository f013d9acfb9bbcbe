import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What a model calls: the client's own shell tool, another tool of its or of an MCP server, or a subagent that makes a call. */
export type ScriptedCall = { command: string } | ToolCall | { subagent: ScriptedCall };

export interface ToolCall {
  /** Its name, or the end of it. */
  tool: string;
  /** `told`: what the request has of the results so far. */
  arguments: object | ((told: readonly string[]) => object);
}

export interface ModelOptions {
  /** Awaited before each reply; `told` is what the request has of the call's result. */
  hold?(told: readonly string[]): Promise<void>;
  /** Whether the turn ends with this request, as JSON, whatever is to be called next; `told` as for `hold`. */
  ends?(request: string, told: readonly string[]): boolean;
  /** Why Anthropic's check of a call flags it, given its arguments as JSON; undefined if it doesn't. Without it, the check gives no verdict. */
  flags?(call: string): string | undefined;
}

/** A model that makes its calls, one after the other, and then ends its turn. It speaks the protocols of Anthropic, OpenAI, Google and OpenAI-compatible servers. */
export interface ScriptedModel {
  url: string;
  /** The tools as the client shows them, in the latest request that has the one to call. */
  tools: Tool[];
  /** What the model was told of its call, as the client's requests have it. */
  results: string[];
  /** The latest request that has a result, as JSON. */
  latest: string;
}

interface Tool {
  name?: string;
  function?: { name: string };
  /** Codex groups the tools of a server. */
  tools?: Tool[];
  /** Gemini groups all of them. */
  functionDeclarations?: Tool[];
}
interface FoundTool {
  name: string;
  namespace?: string;
}
interface Request {
  messages?: { role: string; content?: unknown; tool_call_id?: string }[];
  input?: { type?: string; output?: unknown }[];
  contents?: { parts?: { functionResponse?: unknown }[] }[];
  tools?: Tool[];
  /** The form of the answer, which only Codex' reviewing model has. */
  text?: { format?: { type?: string } };
  /** The checks that Claude Code's auto mode asks for in the same request. */
  safeguards?: unknown[];
}
/** `id`: unique in the turn. A client takes a second call with the same id for the first one. */
type Reply = (call: ScriptedCall, tool: FoundTool, id: string) => object[];

const shells = ["Bash", "bash", "exec_command", "shell_command", "shell"];
const toolsOf = (tools: readonly Tool[], namespace?: string): FoundTool[] =>
  tools.flatMap(({ name = "", function: named, tools: inner, functionDeclarations: declared }) => {
    if (declared !== undefined) return toolsOf(declared);
    return inner === undefined ? [{ name: named?.name ?? name, ...(namespace !== undefined && { namespace }) }] : toolsOf(inner, name);
  });
const lengthOf = ({ name, namespace = "" }: FoundTool): number => namespace.length + name.length;
function toolFor(call: ScriptedCall, { tools = [] }: Request): FoundTool | undefined {
  const all = toolsOf(tools);
  if ("subagent" in call) return all.find(({ name }) => name === "Agent" || name === "Task");
  // A client's own tool may have the same name without a prefix or a namespace.
  if ("tool" in call)
    return all
      .filter(({ name }) => name.replaceAll("-", "_").endsWith(call.tool))
      .toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
  return shells.flatMap((name) => all.find((tool) => tool.name === name) ?? [])[0];
}
/** In a subagent's prompt, and nowhere else before its first call. */
const delegated = "Do the part that was delegated to you.";
function inputOf(call: ScriptedCall): object {
  if ("subagent" in call) return { description: "Do a part", prompt: delegated, subagent_type: "general-purpose" };
  return "tool" in call ? call.arguments : { command: call.command, description: "Make the proof" };
}

const protocols: Record<string, { results(request: Request): unknown[]; call: Reply; end(): object[]; named: boolean; last?: string }> = {
  "/v1/messages": {
    results: ({ messages = [] }) =>
      messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(({ type }) => type === "tool_result") : [])),
    call: (call, { name }, id) =>
      anthropic("tool_use", { type: "tool_use", id: `toolu_${id}`, name, input: {} }, [
        { type: "input_json_delta", partial_json: JSON.stringify(inputOf(call)) },
      ]),
    end: () => anthropic("end_turn", { type: "text", text: "" }, [{ type: "text_delta", text: "Done." }]),
    named: true,
  },
  "/v1/chat/completions": {
    results: ({ messages = [] }) => messages.filter(({ role }) => role === "tool"),
    call: (call, { name }, id) => {
      const named = { name, arguments: JSON.stringify(inputOf(call)) };
      return completion("tool_calls", { tool_calls: [{ index: 0, id: `call_${id}`, type: "function", function: named }] });
    },
    end: () => completion("stop", { content: "Done." }),
    named: false,
    last: "data: [DONE]\n\n",
  },
  "/v1/responses": {
    // A person's reason may come as a message of theirs.
    results: ({ input = [] }) =>
      input.some(({ type }) => type === "function_call_output")
        ? input.slice(input.findIndex(({ type }) => type === "function_call") + 1)
        : [],
    call: (call, tool, id) => {
      const item = { type: "function_call", call_id: `call_${id}`, ...tool };
      if ("tool" in call) return response({ ...item, arguments: JSON.stringify(call.arguments) });
      const { command } = call as { command: string };
      const wish = { sandbox_permissions: "require_escalated", justification: "May I make the proof file?" };
      const args =
        tool.name === "exec_command"
          ? { cmd: command, ...wish }
          : { command: tool.name === "shell" ? ["sh", "-c", command] : command, ...wish };
      return response({ ...item, arguments: JSON.stringify(args) });
    },
    end: () => response({ type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "Done." }] }),
    named: true,
  },
  streamGenerateContent: {
    results: ({ contents = [] }) =>
      contents.flatMap(({ parts = [] }) => parts.filter(({ functionResponse }) => functionResponse !== undefined)),
    call: (call, { name }) => [candidate({ functionCall: { name, args: inputOf(call) } })],
    end: () => [candidate({ text: "Done." })],
    named: false,
  },
};

function anthropic(stop: string, block: object, deltas: readonly object[]): object[] {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  return [
    { type: "message_start", message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
}

const completion = (stop: string, delta: object): object[] =>
  [
    { delta: { role: "assistant", ...delta }, finish_reason: null },
    { delta: {}, finish_reason: stop },
  ].map((choice) => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 0,
    model: "scripted",
    choices: [{ index: 0, ...choice }],
  }));

const candidate = (part: object): object => ({
  candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [part] } }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
});

const response = (item: object): object[] => [
  { type: "response.created", response: { id: "resp_1" } },
  { type: "response.output_item.done", output_index: 0, item },
  {
    type: "response.completed",
    response: { id: "resp_1", output: [item], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
  },
];

async function bodyOf(request: IncomingMessage): Promise<Request> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? {} : JSON.parse(text);
}

const filledIn = (call: ScriptedCall | undefined, told: readonly string[]): ScriptedCall | undefined =>
  call !== undefined && "tool" in call && typeof call.arguments === "function" ? { ...call, arguments: call.arguments(told) } : call;

/** The reply with the verdict of the check on its call. */
function judged(events: object[], { safeguards }: Request, { flags }: ModelOptions, call: ScriptedCall | undefined, id: string): object[] {
  if (safeguards === undefined || flags === undefined || call === undefined) return events;
  const explanation = flags(JSON.stringify(inputOf(call)));
  const verdict = { type: "evaluated", outcome: explanation === undefined ? "not_flagged" : "flagged", explanation };
  const status = { type: "available", tool_uses: { [`toolu_${id}`]: verdict } };
  return events.map((event) => {
    const { type, delta } = event as { type?: string; delta?: object };
    return type === "message_delta"
      ? { ...event, delta: { ...delta, safeguard_results: [{ type: "dangerous_tool_use", status }] } }
      : event;
  });
}

/** What Codex' reviewing model says: that it denies what is flagged. */
function reviewed(why: string | undefined): object[] {
  const verdict = { risk_level: "high", user_authorization: "low", outcome: why === undefined ? "allow" : "deny", rationale: why ?? "" };
  return response({ type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: JSON.stringify(verdict) }] });
}

function write(reply: ServerResponse, { named, last }: { named: boolean; last?: string }, events: readonly object[]): void {
  reply.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    if (named) reply.write(`event: ${(event as { type: string }).type}\n`);
    reply.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  reply.end(last);
}

/** Starts a model on loopback. */
export async function startModel(
  script: ScriptedCall | readonly ScriptedCall[],
  { hold, flags, ends = () => false }: ModelOptions = {},
): Promise<ScriptedModel> {
  const results: string[] = [];
  const calls = [script].flat();
  let tools: Tool[] = [];
  let latest = "";
  const answer = async (request: IncomingMessage, reply: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const protocol = protocols[pathname] ?? protocols[pathname.split(":").at(-1) ?? ""];
    const asked = await bodyOf(request);
    if (protocol === undefined) return void reply.writeHead(404, { "content-type": "application/json" }).end("{}");
    const told = protocol.results(asked);
    const texts = told.map((result) => JSON.stringify(result));
    results.push(...texts);
    // Between the results there may be a person's words.
    const made = told.filter((result) => !["function_call", "message", "reasoning"].includes(String(Object(result).type))).length;
    const next = calls[made];
    const isDelegated = next !== undefined && "subagent" in next && JSON.stringify(asked.messages).includes(delegated);
    const call = ends(JSON.stringify(asked), texts) ? undefined : filledIn(isDelegated ? next.subagent : next, texts);
    if (told.length > 0) latest = JSON.stringify(asked);
    const tool = call && toolFor(call, asked);
    if (tool !== undefined) tools = (asked.tools ?? []).flatMap((each) => each.tools ?? each.functionDeclarations ?? [each]);
    if (tool !== undefined || told.length > 0) await hold?.(texts);
    if (flags !== undefined && asked.text?.format?.type === "json_schema") {
      return void write(reply, protocol, reviewed(flags(JSON.stringify(asked.input))));
    }
    const id = String(made + 1);
    const events =
      call === undefined || tool === undefined ? protocol.end() : judged(protocol.call(call, tool, id), asked, { flags }, call, id);
    write(reply, protocol, events);
  };
  const server = createServer((request, reply) => void answer(request, reply).catch(() => reply.destroy()));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    results,
    get tools() {
      return tools;
    },
    get latest() {
      return latest;
    },
  };
}
