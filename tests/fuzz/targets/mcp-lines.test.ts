import { PassThrough } from "node:stream";
import { silentLog } from "@askbox/core";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { LineTransport } from "../../../packages/agents/mcp-stdio/src/stdio.ts";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { assertSentence, fault } from "../engine/oracle.ts";
import { turns } from "../engine/world.ts";

const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "ask_user", arguments: { questions: null }, _meta: null } };
const messages = [
  call,
  { jsonrpc: "2.0", id: "a", method: "tools/list", params: { cursor: null, _meta: { progressToken: null } } },
  { jsonrpc: "2.0", id: null, method: "notifications/initialized", params: null },
  { jsonrpc: "2.0", id: 3, result: { roots: [{ uri: "file:///srv" }] }, error: null },
  [call, { ...call, id: 8 }],
];

/** What a client may write on stdio. */
fuzz({
  name: "mcp-lines",
  input: fc.record({ sent: fc.array(mutated(messages, { damage: 0.3 }), { minLength: 1, maxLength: 4, size: "max" }), pieces: fc.nat(5) }),
  runs: 200,
  open: () => ({
    async take({ sent, pieces }) {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const transport = new LineTransport({ input, output, log: silentLog });
      const read: JSONRPCMessage[] = [];
      transport.onmessage = (message) => read.push(message);
      await transport.start();
      const replies = async () => {
        await turns();
        return String(output.read() ?? "")
          .split("\n")
          .slice(0, -1);
      };
      for (const text of sent) {
        const [line = "", before] = [writeOut(text).replaceAll("\n", " "), read.length];
        const bytes = Buffer.from(`${line}\n`);
        const step = Math.ceil(bytes.length / (pieces + 1));
        for (let at = 0; at < bytes.length; at += step) input.write(bytes.subarray(at, at + step));
        const answered = (await replies()).map(refusal);
        for (const id of idsOf(bytes.toString())) {
          if (![...answered, ...read.slice(before)].some((each) => "id" in each && each.id === id))
            fault(`A request got no reply: ${line}`);
        }
      }
      input.write('{"jsonrpc":"2.0","id":"last","method":"ping"}\n');
      await turns();
      if (!read.some((message) => "id" in message && message.id === "last")) fault("The transport reads nothing any more.");
      await transport.close();
    },
  }),
});

function refusal(line: string): { id: unknown } {
  const { id, error } = JSON.parse(line);
  if (!Number.isInteger(error.code)) fault(`A reply has no code: ${line}`);
  assertSentence(error.message, "The error of a reply");
  return { id };
}

/** The ids that a client waits for: of requests, alone or in a batch. */
function idsOf(line: string): unknown[] {
  try {
    return [JSON.parse(line)].flat().flatMap((each) => {
      const { id, method } = Object(each);
      return typeof method === "string" && (typeof id === "string" || Number.isFinite(id)) ? [id] : [];
    });
  } catch {
    return [];
  }
}
