import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";

interface Registered {
  inputSchema?: z.ZodType;
  outputSchema?: z.ZodType;
}
// biome-ignore lint/suspicious/noExplicitAny: handlers of all signatures that McpServer accepts.
type Handler = (...args: any[]) => unknown;

/** What an author writes who uses SDK 1.x's `Server` directly: both handlers of its tools. */
export class LowLevelTools {
  readonly server: Server;
  readonly #tools = new Map<string, { config: Registered; handler: Handler }>();

  constructor(info: { name: string; version: string }, wrap: (server: Server) => Server) {
    this.server = wrap(new Server(info, { capabilities: { tools: {} } }));
    this.server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [...this.#tools].map(([name, { config }]) => ({
        name,
        inputSchema: { type: "object" as const },
        ...(config.outputSchema && { outputSchema: z.toJSONSchema(config.outputSchema) as { type: "object" } }),
      })),
    }));
    this.server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const tool = this.#tools.get(params.name);
      if (tool === undefined) throw new Error(`Tool ${params.name} not found`);
      const { config, handler } = tool;
      const args = config.inputSchema === undefined ? [] : [config.inputSchema.parse(params.arguments ?? {})];
      return (await handler(...args, extra)) as { content: [] };
    });
  }

  registerTool(name: string, config: Registered, handler: Handler): void {
    this.#tools.set(name, { config, handler });
  }
}
