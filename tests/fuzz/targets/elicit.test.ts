import { elicit, withElicitation } from "@askbox/elicit";
import { connectDirect, type ElicitationResponse } from "@askbox/elicit/direct";
import { Client } from "@modelcontextprotocol/client";
import { type CallToolResult, InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import fc from "fast-check";
import * as z from "zod";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { assertSentence, fault } from "../engine/oracle.ts";

const form = z.object({
  name: z.string().max(100),
  mail: z.email().optional(),
  amount: z.number().int().min(1).max(9),
  sure: z.boolean(),
  tea: z.enum(["green", "black"]),
  extras: z.array(z.enum(["milk", "sugar"])).optional(),
});
const content = { name: "Ada", mail: "a@b.example", amount: 3, sure: true, tea: "green", extras: ["milk"] };

function shop(): McpServer {
  const server = withElicitation(new McpServer({ name: "shop", version: "1.0.0" }));
  server.registerTool("order", { description: "Orders", inputSchema: z.object({}) }, async (_, ctx) => {
    const { status, content: values } = await elicit(ctx, "What will it be?", form);
    if (status === "accept" && !form.safeParse(values).success) fault("A tool was given what its form does not take.");
    return { content: [{ type: "text", text: status }] };
  });
  return server;
}

/** What a client returns from its form, and what a model returns instead. */
fuzz({
  name: "elicit",
  input: fc.record({
    response: mutated([{ action: "accept", content }, { action: "decline" }], { damage: 0 }),
    result: fc.array(mutated([content], { damage: 0 }), { maxLength: 2 }),
    args: mutated([{}], { damage: 0 }),
  }),
  runs: 40,
  open: () => ({
    async take({ response, result, args }) {
      const direct = await connectDirect(shop());
      direct.onElicitation(() => JSON.parse(writeOut(response)) as ElicitationResponse);
      assertEnded(await direct.callTool("order"));
      direct.onElicitation(() => ({ action: "accept", content }));
      if (textOf(await direct.callTool("order")) !== "accept") fault("A valid answer is not taken any more.");
      await direct.close();
      await throughModel(result, args);
    },
  }),
});

/** A client without forms: the result tells the model how to ask, and it answers with another tool. */
async function throughModel(results: readonly string[], args: string): Promise<void> {
  const client = new Client({ name: "model", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await shop().connect(far);
  await client.connect(near);
  const { tools } = await client.listTools();
  const name = tools.map((tool) => tool.name).find((one) => one !== "order") ?? fault("There is no tool to answer with.");
  const asked = (await client.callTool({ name: "order", arguments: {} })) as CallToolResult;
  const id = /"elicitId":\s*"([^"]+)"/.exec(JSON.stringify(asked).replaceAll("\\", ""))?.[1] ?? "none";
  const call = async (params: unknown) => {
    try {
      assertEnded((await client.callTool({ name, arguments: params as Record<string, unknown> })) as CallToolResult);
    } catch (error) {
      // The SDK's own rejection of arguments that are not an object, or do not match the tool's schema.
      const { code, message } = error as { code?: number; message: string };
      if (code === undefined || code === -32_603) fault(`The call failed: ${message}`);
    }
  };
  for (const result of results) await call({ elicitId: id, action: "accept", content: JSON.parse(writeOut(result)) });
  await call(JSON.parse(writeOut(args)));
  await client.close();
}

const textOf = ({ content: [first] }: CallToolResult) => (first?.type === "text" ? first.text : "");

function assertEnded(result: CallToolResult): void {
  if (result.isError === true) assertSentence(textOf(result), "A failed call");
}
