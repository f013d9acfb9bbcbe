import { randomUUID } from "node:crypto";
import { type PromptCall, type PromptResult, promptEvent, promptResult, promptWithoutPerson } from "@askbox/clients/hooks";
import { toAskboxError } from "@askbox/core";
import { parseExact } from "@askbox/core/schemas";
import { findHub, gitPlace, knownConversation, requestHub, workingFolder } from "@askbox/home";
import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { usableEnvironment } from "./environment.ts";
import { serveUntilLeft } from "./stdio.ts";

export interface ApprovalPromptSetup {
  env: NodeJS.ProcessEnv;
  hub: string | undefined;
  tokenFile: string | undefined;
  /** The command line that runs a hub in the background. */
  hubCommand: readonly string[];
  version: string;
}

const inputSchema = z.looseObject({
  tool_name: z.string().min(1).max(200).describe("The tool that the agent wants to use"),
  input: z.record(z.string(), z.unknown()).nullish().describe("The tool's arguments"),
});

/** Serves `approval_prompt`, for `claude --permission-prompt-tool`. Resolves with the exit code. */
export function runApprovalPrompt(given: ApprovalPromptSetup): Promise<number> {
  const setup = { ...given, env: usableEnvironment(given.env).env };
  const conversation = knownConversation(setup.env) ?? randomUUID();
  return serveUntilLeft(
    () => {
      const server = new McpServer(
        { name: "askbox-approvals", version: setup.version },
        { capabilities: { tools: { listChanged: false } } },
      );
      server.registerTool(
        "approval_prompt",
        {
          title: "Ask a person for permission",
          description: "For Claude Code's --permission-prompt-tool, which calls it automatically. Agents don't call it.",
          inputSchema,
        },
        async ({ tool_name, input, inputJson }, ctx) => {
          // From the transport.
          const exact = typeof inputJson === "string" ? (parseExact(inputJson) as typeof input) : input;
          const call: PromptCall = { tool_name, input: exact ?? {} };
          const result = promptWithoutPerson(call) ?? (await decided(setup, conversation, call, ctx.mcpReq.signal));
          // Claude Code denies if there is anything besides this one text, including `structuredContent`.
          return { content: [{ type: "text" as const, text: JSON.stringify(result) }] };
        },
      );
      return server;
    },
    { env: given.env, holder: "arguments" },
  );
}

/** Asks like the hook. An error denies, with the reason: without a terminal the client has no prompt of its own. */
async function decided(setup: ApprovalPromptSetup, conversation: string, call: PromptCall, signal: AbortSignal): Promise<PromptResult> {
  const { env, hub: hubUrl, tokenFile, hubCommand } = setup;
  const cwd = workingFolder();
  try {
    const [git, hub] = await Promise.all([
      gitPlace(cwd),
      findHub({ role: "asker", env, hubUrl, tokenFile, start: true, hubCommand, signal }),
    ]);
    const body = promptEvent(call, { conversation, cwd, ...git });
    return promptResult(call, await requestHub(hub, { method: "POST", path: "/hooks/claude-code", body, timeout: 0, signal, exact: true }));
  } catch (error) {
    return { behavior: "deny", message: `${toAskboxError(error).message} Nobody could be asked, so it was not allowed.` };
  }
}
