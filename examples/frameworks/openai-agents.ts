/** OpenAI Agents SDK: a person is asked about tools that need approval, and the run continues. */
import { type Asker, approval, askForEnding } from "@askbox/core";
import { type Agent, type RunResult, type RunToolApprovalItem, run } from "@openai/agents";

/** Whether a person allows the call, and if not, what the model is told: a timeout is not a yes. */
async function decide(asker: Asker, { name = "a tool", arguments: input = "{}" }: RunToolApprovalItem): Promise<string | undefined> {
  const action = { kind: "tool", tool: name, text: `Run ${name}`, input: JSON.parse(input || "{}") } as const;
  const ending = await askForEnding(asker, { call: approval(`May the agent run ${name}?`, action) });
  if (ending.kind !== "answered") return "Nobody approved it.";
  const { allowed, reason = "A person turned it down." } = ending.values.call;
  return allowed ? undefined : reason;
}

/** Runs the agent to its end. */
// biome-ignore lint/suspicious/noExplicitAny: as the SDK types an agent of any context and output.
export async function runWithApprovals<Of extends Agent<any, any>>(asker: Asker, agent: Of, input: string): Promise<unknown> {
  let result: RunResult<undefined, Of> = await run(agent, input);
  while (result.interruptions.length > 0) {
    const refusals = await Promise.all(result.interruptions.map((item) => decide(asker, item)));
    for (const [index, item] of result.interruptions.entries()) {
      const message = refusals[index];
      if (message === undefined) result.state.approve(item);
      else result.state.reject(item, { message });
    }
    result = await run(agent, result.state);
  }
  return result.finalOutput;
}
