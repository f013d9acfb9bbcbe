import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A model that calls the client's own shell tool once and then ends its turn. It speaks the protocols of Anthropic, OpenAI and OpenAI-compatible servers. */
export interface ScriptedModel {
  url: string;
  /** What the model was told of its call, as the client's requests have it. */
  results: string[];
}

interface Tool {
  name?: string;
  function?: { name: string };
}
interface Request {
  messages?: { role: string; content?: unknown; tool_call_id?: string }[];
  input?: { type?: string; output?: unknown }[];
  tools?: Tool[];
}
type Reply = (command: string, request: Request) => object[] | undefined;

const shells = ["Bash", "bash", "exec_command", "shell_command", "shell"];
const shellOf = ({ tools = [] }: Request) =>
  shells.find((name) => tools.some((tool) => tool.name === name || tool.function?.name === name));

const protocols: Record<string, { results(request: Request): unknown[]; call: Reply; end(): object[]; named: boolean }> = {
  "/v1/messages": {
    results: ({ messages = [] }) =>
      messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(({ type }) => type === "tool_result") : [])),
    call: (command, request) =>
      anthropic("tool_use", { type: "tool_use", id: "toolu_01", name: shellOf(request), input: {} }, [
        { type: "input_json_delta", partial_json: JSON.stringify({ command, description: "Make the proof" }) },
      ]),
    end: () => anthropic("end_turn", { type: "text", text: "" }, [{ type: "text_delta", text: "Done." }]),
    named: true,
  },
  "/v1/chat/completions": {
    results: ({ messages = [] }) => messages.filter(({ role }) => role === "tool"),
    call: (command, request) => {
      const call = { name: shellOf(request), arguments: JSON.stringify({ command, description: "Make the proof" }) };
      return completion("tool_calls", { tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] });
    },
    end: () => completion("stop", { content: "Done." }),
    named: false,
  },
  "/v1/responses": {
    // A person's reason may come as a message of theirs.
    results: ({ input = [] }) =>
      input.some(({ type }) => type === "function_call_output")
        ? input.slice(input.findIndex(({ type }) => type === "function_call") + 1)
        : [],
    call: (command, request) => {
      const name = shellOf(request);
      const wish = { sandbox_permissions: "require_escalated", justification: "May I make the proof file?" };
      const args =
        name === "exec_command" ? { cmd: command, ...wish } : { command: name === "shell" ? ["sh", "-c", command] : command, ...wish };
      return response({ type: "function_call", call_id: "call_1", name, arguments: JSON.stringify(args) });
    },
    end: () => response({ type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "Done." }] }),
    named: true,
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
    ...{ id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: "scripted" },
    choices: [{ index: 0, ...choice }],
  }));

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

/** Starts a model on loopback that asks to run `command`. */
export async function startModel(command: string): Promise<ScriptedModel> {
  const results: string[] = [];
  const answer = async (request: IncomingMessage, reply: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const protocol = protocols[pathname];
    const asked = await bodyOf(request);
    if (protocol === undefined) return void reply.writeHead(404, { "content-type": "application/json" }).end("{}");
    const told = protocol.results(asked);
    results.push(...told.map((result) => JSON.stringify(result)));
    const events = told.length === 0 && shellOf(asked) !== undefined ? (protocol.call(command, asked) ?? []) : protocol.end();
    reply.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of events) {
      if (protocol.named) reply.write(`event: ${(event as { type: string }).type}\n`);
      reply.write(`data: ${JSON.stringify(event)}\n\n`);
    }
    reply.end(protocol.named ? "" : "data: [DONE]\n\n");
  };
  const server = createServer((request, reply) => void answer(request, reply).catch(() => reply.destroy()));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, results };
}
