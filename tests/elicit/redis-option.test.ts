import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { elicit, withElicitation } from "@askbox/elicit";
import { type RedisProcess, startRedis } from "@askbox/store-redis/testing";
import { Client } from "@modelcontextprotocol/client";
import { type CallToolResult, InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import * as z from "zod";

let redis: RedisProcess;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

const address = (keyPrefix: string) => {
  const { hostname: host, port } = new URL(redis.url);
  return { host, port: Number(port), keyPrefix };
};

/** A client without forms on its own server, as in another process. */
async function clientOf(options: Parameters<typeof withElicitation<McpServer>>[1]): Promise<Client> {
  const server = withElicitation(new McpServer({ name: "shop", version: "1" }), { owner: () => "Ada", ...options });
  server.registerTool("order", {}, async (ctx) => {
    const { content } = await elicit(ctx, "Which tea?", z.object({ tea: z.string() }));
    return { content: [{ type: "text", text: `${content?.tea} tea` }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "model", version: "1" });
  onTestFinished(() => client.close());
  await server.connect(far);
  await client.connect(near);
  return client;
}

test("shares questions between processes, with only its address", async () => {
  const [one, other] = await Promise.all([clientOf({ redis: address("shop") }), clientOf({ redis: { url: `${redis.url}?prefix=shop` } })]);
  const asked = (await one.callTool({ name: "order", arguments: {} })) as CallToolResult;
  const elicitId = (asked._meta?.["elicitationPending"] as { elicitId: string } | undefined)?.elicitId;
  const sent = { elicitId, action: "accept", content: { tea: "green" } };
  const result = await other.callTool({ name: "sendElicitationResult", arguments: sent });
  expect(result.content).toEqual([{ type: "text", text: "green tea" }]);
  expect(await redis.command("EXISTS", `{shop}:elicit:${elicitId}`)).toBe(1);
});

test("reports to the caller that no server responds", async () => {
  const client = await clientOf({ redis: { url: "redis://127.0.0.1:1" } });
  const result = (await client.callTool({ name: "order", arguments: {} })) as CallToolResult;
  expect(result._meta?.["askbox/error"]).toMatchObject({ code: "STORE_UNAVAILABLE" });
});

test("cannot be combined with a store", () => {
  const store = { get: async () => undefined, replace: async () => true };
  expect(() => withElicitation(new McpServer({ name: "shop", version: "1" }), { store, redis: {} })).toThrow(
    /Give store or redis, not both/,
  );
});

test("does not keep its process alive", { tags: "redis" }, async () => {
  const program = `
    import { openRedisElicitation } from "@askbox/store-redis";
    const store = await openRedisElicitation({ url: process.argv[1], background: true });
    await store.replace("a", undefined, "b", 60_000);
    console.log(await store.get("a"));`;
  const args = ["--conditions=askbox-source", "--input-type=module", "--eval", program, `${redis.url}?prefix=ends`];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, timeout: 60_000 });
  expect(stdout).toBe("b\n");
});
