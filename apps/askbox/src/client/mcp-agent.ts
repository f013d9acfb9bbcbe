import { AskboxError, type AskInput, type AskResult, programReply } from "@askbox/core";
import { askResultSchema } from "@askbox/core/schemas";
import { dialectTraits, isDialectName } from "@askbox/mcp";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** An agent without a model. */
export interface McpAgent {
  /** Asks once and resolves with the result that the agent receives, however many calls that takes. */
  ask(input: AskInput): Promise<AskResult>;
  /** Stops the server's process. */
  close(): Promise<void>;
}

export interface McpAgentOptions {
  /** The agent's name. */
  name: string;
  /** The command and arguments of the server. */
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  version: string;
}

/** Milliseconds for a server to start. */
const startLimit = 30_000;
/** Milliseconds; far longer than the deadlines of the questions. */
const callLimit = 2_000_000;

/** Starts `askbox mcp` over pipes and initialises it, as an agent's client does. */
export async function startAgent({ name, command: [program = "", ...args], env, version }: McpAgentOptions): Promise<McpAgent> {
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const transport = new StdioClientTransport({ command: program, args, env: Object.fromEntries(defined), stderr: "ignore" });
  const client = new Client({ name, version });
  await client.connect(transport, { timeout: startLimit });
  const call = async (tool: string, input: Record<string, unknown>): Promise<AskResult> => {
    const options = { timeout: callLimit, resetTimeoutOnProgress: true, onprogress: () => {} };
    const { isError, content, structuredContent } = await client.callTool({ name: tool, arguments: input }, options);
    if (!isError) return askResultSchema.parse(structuredContent);
    throw new AskboxError("HUB_UNREACHABLE", content.flatMap((part) => ("text" in part ? [part.text] : [])).join(" "));
  };
  return {
    async ask(input) {
      const { tools } = await client.listTools();
      const tool = tools.find((each) => isDialectName(each.name) && dialectTraits(each.name).format === "json");
      if (tool === undefined) throw new AskboxError("VALIDATION", `Its server offers only ${tools.map((each) => each.name).join(", ")}.`);
      let result = await call(tool.name, { ...input });
      while (result.pending) {
        const { sessionId, askedBack } = result;
        result = await call("get_answer", { sessionId, ...(askedBack !== undefined && { reply: programReply }) });
      }
      return result;
    },
    close: () => client.close(),
  };
}
