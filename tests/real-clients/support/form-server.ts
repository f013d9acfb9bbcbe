import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

/** An MCP server of somebody else's, whose only tool asks with a form and returns what it got. */
const server = new McpServer({ name: "issues", version: "1.0.0" });
server.registerTool("file_issue", { description: "Files an issue" }, async ({ signal }) => {
  const requestedSchema = {
    type: "object" as const,
    properties: { repository: { type: "string" as const, enum: ["engine", "mill"] }, copies: { type: "integer" as const } },
    required: ["repository"],
  };
  // The client has no limit of its own here, and the SDK's would be a minute.
  const filled = await server.server.elicitInput({ message: "Where should it go?", requestedSchema }, { signal, timeout: 3_600_000 });
  return { content: [{ type: "text", text: JSON.stringify(filled) }] };
});
await server.connect(new StdioServerTransport());
