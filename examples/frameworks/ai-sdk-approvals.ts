/** AI SDK 7: a person is asked about tool calls that need approval, by `toolApproval` or `needsApproval`, and the generation continues. */
import { type Asker, approval, askForEnding } from "@askbox/core";
import {
  generateText,
  type LanguageModel,
  type ModelMessage,
  type ToolApprovalConfiguration,
  type ToolApprovalResponse,
  type ToolSet,
} from "ai";

export interface Generation<Tools extends ToolSet> {
  model: LanguageModel;
  tools: Tools;
  toolApproval?: ToolApprovalConfiguration<Tools, never>;
  messages: ModelMessage[];
}

/** A person's decision on one call. Unanswered ones are denied: a timeout is not a yes. */
async function decide(asker: Asker, approvalId: string, call: { toolName: string; input: unknown }): Promise<ToolApprovalResponse> {
  const action = { kind: "tool", tool: call.toolName, input: call.input as Record<string, unknown> } as const;
  const ending = await askForEnding(asker, { call: approval(`May the agent run ${call.toolName}?`, action) });
  const { allowed, reason } = ending.kind === "answered" ? ending.values.call : { allowed: false, reason: "Nobody approved it." };
  return { type: "tool-approval-response", approvalId, approved: allowed, ...(reason !== undefined && { reason }) };
}

/** Generates until no call is left to approve, and returns the text. */
export async function generateWithApprovals<Tools extends ToolSet>(
  asker: Asker,
  { messages, ...rest }: Generation<Tools>,
): Promise<string> {
  for (let all = messages; ; ) {
    const { content, responseMessages, text } = await generateText({ ...rest, messages: all });
    const requests = content.filter((part) => part.type === "tool-approval-request" && part.isAutomatic !== true);
    if (requests.length === 0) return text;
    const responses = await Promise.all(
      requests.flatMap((part) => (part.type === "tool-approval-request" ? [decide(asker, part.approvalId, part.toolCall)] : [])),
    );
    all = [...all, ...responseMessages, { role: "tool", content: responses }];
  }
}
