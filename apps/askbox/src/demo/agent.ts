import type { AskInput, AskResult } from "@askbox/core";
import { askResultSchema } from "@askbox/core/schemas";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export interface DemoAgent {
  /** Calls `ask_user` once and resolves with the result the agent receives. */
  ask(input: AskInput): Promise<AskResult>;
  /** Stops the server's process. */
  close(): Promise<void>;
}

export interface DemoAgentOptions {
  /** The command and arguments of the server. */
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  version: string;
}

/** Milliseconds; far longer than the deadlines of the demo's questions. */
const callLimit = 2_000_000;

/** Starts `askbox mcp` over pipes and initialises it, as an agent's client does. */
export async function startAgent({ command: [program = "", ...args], env, version }: DemoAgentOptions): Promise<DemoAgent> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const transport = new StdioClientTransport({ command: program, args, env: Object.fromEntries(given), stderr: "ignore" });
  const client = new Client({ name: "demo-agent", version });
  await client.connect(transport);
  return {
    async ask(input) {
      const result = await client.callTool(
        { name: "ask_user", arguments: { ...input } },
        { timeout: callLimit, resetTimeoutOnProgress: true, onprogress: () => {} },
      );
      return askResultSchema.parse(result.structuredContent);
    },
    close: () => client.close(),
  };
}
