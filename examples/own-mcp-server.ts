/** A third-party MCP server, with a tool that asks the user before it does something irreversible. */
import { type ElicitationOptions, elicit, withElicitation } from "@askbox/elicit";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

/** `remove` stands for the server's actual work. */
export function fileServer(remove: (path: string) => Promise<void>, options: ElicitationOptions = {}): McpServer {
  const server = withElicitation(new McpServer({ name: "files", version: "1.0.0" }), options);
  server.registerTool(
    "delete-file",
    { description: "Deletes a file, after its owner has agreed", inputSchema: z.object({ path: z.string() }) },
    async ({ path }, ctx) => {
      const form = z.object({ confirmed: z.boolean(), trust: z.int().min(1).max(5).describe("How sure are you?") });
      // A model that relays an answer may be wrong, so only a person's own answer deletes.
      const { status, content } = await elicit(ctx, `Delete "${path}"?`, form, { person: true });
      const sure = status === "accept" && content.confirmed && content.trust >= 3;
      if (sure) await remove(path);
      return { content: [{ type: "text", text: sure ? `${path} is gone.` : "Nothing was deleted." }] };
    },
  );
  return server;
}

if (import.meta.main) serveStdio(() => fileServer((path) => import("node:fs/promises").then(({ rm }) => rm(path))));
