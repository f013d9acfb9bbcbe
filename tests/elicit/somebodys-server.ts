import { elicit, once, withElicitation } from "@askbox/elicit";
import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

let orders = 0;

/** A third-party server with a tool that asks three times and orders once. */
export function somebodysServer(): McpServer {
  const server = withElicitation(new McpServer({ name: "tea-shop", version: "1.0.0" }));
  server.registerTool("order_tea", { description: "Orders tea", inputSchema: z.object({ shop: z.string() }) }, async ({ shop }, ctx) => {
    const tea = await elicit(ctx, `Which tea from ${shop}?`, z.object({ tea: z.enum(["green", "black"]) }));
    if (tea.status !== "accept") return { content: [{ type: "text", text: "No tea." }] };
    const order = await once(ctx, "order", () => {
      orders += 1;
      return orders;
    });
    const amount = await elicit(ctx, `How much ${tea.content.tea} tea, in g?`, z.object({ grams: z.number().int().min(50) }));
    if (amount.status !== "accept") return { content: [{ type: "text", text: `Order ${order} without an amount.` }] };
    const sure = await elicit(ctx, `Buy ${amount.content.grams} g?`, z.object({ sure: z.boolean() }));
    const bought = sure.status === "accept" && sure.content.sure;
    return {
      content: [
        { type: "text", text: `Order ${order}: ${amount.content.grams} g of ${tea.content.tea} tea, ${bought ? "bought" : "dropped"}.` },
      ],
    };
  });
  return server;
}
