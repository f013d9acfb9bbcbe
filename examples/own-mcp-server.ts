/** Someone else's MCP server, with a tool that asks the person behind the call before it does something that cannot be undone. */
import { type ElicitationOptions, elicit, withElicitation } from "@askbox/mcp/elicit";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

/** `remove` stands for what the server is there for. */
export function fileServer(remove: (path: string) => Promise<void>, options: ElicitationOptions = {}): McpServer {
  const server = withElicitation(new McpServer({ name: "files", version: "1.0.0" }), options);
  server.registerTool(
    "delete-file",
    { description: "Deletes a file, after its owner has agreed", inputSchema: z.object({ path: z.string() }) },
    async ({ path }, ctx) => {
      const form = z.object({ confirmed: z.boolean(), trust: z.int().min(1).max(5).describe("How sure are you?") });
      // A model that passes an answer on may be wrong: only a person's own word deletes.
      const { status, content } = await elicit(ctx, `Delete "${path}"?`, form, { person: true });
      const sure = status === "accept" && content.confirmed && content.trust >= 3;
      if (sure) await remove(path);
      return { content: [{ type: "text", text: sure ? `${path} is gone.` : "Nothing was deleted." }] };
    },
  );
  return server;
}

if (import.meta.main) serveStdio(() => fileServer((path) => import("node:fs/promises").then(({ rm }) => rm(path))));
