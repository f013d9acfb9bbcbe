/** Each framework with a scripted model, for the examples' test. */
import type { Asker } from "@askbox/core";
import { Annotation, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { Agent, type Model, type ModelResponse, setTracingDisabled, tool, Usage } from "@openai/agents";
import { tool as aiTool, generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as z from "zod";
import { askPerson } from "./ai-sdk.ts";
import { generateWithApprovals } from "./ai-sdk-approvals.ts";
import { type HITLRequest, type HITLResponse, resume } from "./langgraph.ts";
import { runWithApprovals } from "./openai-agents.ts";

const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };
const usage = { inputTokens: none, outputTokens: none };

/** What the AI SDK's model receives from its tool. */
export async function runAiSdk(asker: Asker): Promise<unknown> {
  const input = JSON.stringify({ question: "Which base?", options: ["main", "next"] });
  const model = new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: "tool-call", toolCallId: "1", toolName: "askPerson", input }],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      },
      { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] },
    ],
  });
  const { steps } = await generateText({ model, tools: { askPerson: askPerson(asker) }, stopWhen: isStepCount(3), prompt: "Go." });
  return steps[0]?.toolResults[0]?.output;
}

/** The files deleted by the AI SDK's tool, and the model's last words. Two calls need approval, by the tool and by the request. */
export async function runAiSdkApprovals(asker: Asker): Promise<{ deleted: string[]; said: string }> {
  const deleted: string[] = [];
  const remove = {
    description: "Deletes a file.",
    inputSchema: z.object({ path: z.string() }),
    async execute({ path }: { path: string }) {
      deleted.push(path);
      return "Deleted.";
    },
  };
  const call = (toolName: string, path: string) =>
    ({ type: "tool-call", toolCallId: path, toolName, input: JSON.stringify({ path }) }) as const;
  const model = new MockLanguageModelV4({
    doGenerate: [
      {
        content: [call("remove", "a.txt"), call("remove", "b.txt"), call("erase", "c.txt")],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      },
      { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] },
    ],
  });
  const said = await generateWithApprovals(asker, {
    model,
    tools: { remove: aiTool(remove), erase: aiTool({ ...remove, needsApproval: true }) },
    toolApproval: { remove: "user-approval" },
    messages: [{ role: "user", content: "Clean up." }],
  });
  return { deleted, said };
}

const State = Annotation.Root({ decisions: Annotation<HITLResponse["decisions"]> });

/** The decisions that resume the graph. */
export async function runLangGraph(asker: Asker, request: HITLRequest): Promise<HITLResponse["decisions"]> {
  const graph = new StateGraph(State)
    .addNode("review", () => interrupt<HITLRequest, HITLResponse>(request))
    .addEdge(START, "review")
    .addEdge("review", END)
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  await graph.invoke({ decisions: [] }, config);
  const { tasks } = await graph.getState(config);
  const command = await resume(asker, tasks[0]?.interrupts ?? []);
  return (await graph.invoke(command, config)).decisions;
}

/** The files deleted by the agent's tool, and the agent's last message. */
export async function runOpenAiAgents(asker: Asker): Promise<{ deleted: string[]; said: unknown }> {
  setTracingDisabled(true);
  const deleted: string[] = [];
  const remove = tool({
    name: "remove",
    description: "Deletes a file.",
    parameters: z.object({ path: z.string() }),
    needsApproval: true,
    async execute({ path }) {
      deleted.push(path);
      return "Deleted.";
    },
  });
  const call = (id: string, path: string) =>
    ({ type: "function_call", callId: id, name: "remove", arguments: JSON.stringify({ path }), status: "completed" }) as const;
  const words: ModelResponse["output"] = [
    { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "Done." }] },
  ];
  const script: ModelResponse["output"][] = [[call("1", "a.txt"), call("2", "b.txt")], words];
  const model: Model = {
    getResponse: async () => ({ usage: new Usage(), output: script.shift() ?? [] }),
    async *getStreamedResponse() {},
  };
  return { deleted, said: await runWithApprovals(asker, new Agent({ name: "cleaner", model, tools: [remove] }), "Clean up.") };
}
