import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { somebodysServer } from "./somebodys-server.ts";

const eras = ["2025-11-25", "2026-07-28"] as const;
type Era = (typeof eras)[number];

/** A client without forms, like many. */
const clientOf = (era: Era) =>
  new Client({ name: "scripted-model", version: "1" }, era === "2026-07-28" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {});

async function overStdio(era: Era): Promise<Client> {
  const client = clientOf(era);
  onTestFinished(() => client.close());
  const server = fileURLToPath(new URL("./stdio-server.ts", import.meta.url));
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ["--conditions=askbox-source", server], stderr: "inherit" }),
  );
  return client;
}

/** Each request has its own server, as the SDK serves HTTP. */
async function overHttp(era: Era): Promise<Client> {
  const handler = createMcpHandler(somebodysServer);
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = incoming.method === "POST" ? Buffer.concat(await incoming.toArray()) : null;
    const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    );
    const request = new Request(new URL(incoming.url ?? "/", "http://127.0.0.1"), { method: incoming.method ?? "GET", headers, body });
    const response = await handler.fetch(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) return void outgoing.end();
    Readable.fromWeb(response.body as ReadableStream).pipe(outgoing);
  };
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = clientOf(era);
  onTestFinished(async () => {
    await client.close();
    await handler.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
  return client;
}

type Said = { action: "accept"; content: Record<string, unknown> } | { action: "decline" | "cancel" };

/** A model that only knows the list of tools and the texts of results, and a person who answers from the script. */
async function converse(client: Client, person: (question: string, schema: string) => Said): Promise<{ text: string; asked: string[] }> {
  const { tools } = await client.listTools();
  const answerTool = tools.find(({ description = "" }) => description.includes("with the elicitId from the tool's result"));
  if (answerTool === undefined) throw new Error("No tool takes the answer.");
  const asked: string[] = [];
  let schema = "";
  let result = await client.callTool({ name: "order_tea", arguments: { shop: "Lu's" } });
  for (let step = 0; step < 10; step += 1) {
    const [first] = result.content as { type: string; text: string }[];
    const text = first?.text ?? "";
    const elicitId = /elicitId: "([^"]+)"/.exec(text)?.[1];
    if (elicitId === undefined) return { text, asked };
    // The rejected call has no new question, so it is the previous one.
    const question = /\*\*Question:\*\* (.+)/.exec(text)?.[1] ?? asked.at(-1) ?? "";
    asked.push(question);
    schema = /```json\n([\s\S]+?)```/.exec(text)?.[1] ?? schema;
    result = await client.callTool({ name: answerTool.name, arguments: { elicitId, ...person(question, schema) } });
  }
  throw new Error("The calls do not end.");
}

const script: Record<string, Said> = {
  tea: { action: "accept", content: { tea: "green" } },
  grams: { action: "accept", content: { grams: 100 } },
  sure: { action: "accept", content: { sure: true } },
};
const scripted = (_question: string, schema: string): Said => {
  const [field = ""] = Object.keys((JSON.parse(schema) as { properties: object }).properties);
  return script[field] ?? { action: "cancel" };
};

describe.each([
  ["stdio", overStdio],
  ["HTTP", overHttp],
] as const)("a model that passes questions on, over %s", (_transport, connect) => {
  test.each(eras)("guides its person through three steps in %s, and the tool orders once", async (era) => {
    const client = await connect(era);
    const { text, asked } = await converse(client, scripted);
    expect(text).toMatch(/^Order \d+: 100 g of green tea, bought\.$/);
    expect(asked).toEqual(["Which tea from Lu's?", "How much green tea, in g?", "Buy 100 g?"]);
    const before = Number(/\d+/.exec(text)?.[0]);
    const again = await converse(client, scripted);
    expect(Number(/\d+/.exec(again.text)?.[0])).toBe(before + 1);
  });
});
