/** OpenAI Agents SDK: a person is asked about tools that need approval, and the run continues. */
import { type Asker, askForEnding, confirm } from "@askbox/core";
import { type Agent, type RunResult, run } from "@openai/agents";

/** Runs the agent to its end. What nobody approved is rejected: a timeout is not a yes. */
// biome-ignore lint/suspicious/noExplicitAny: as the SDK types an agent of any context and output.
export async function runWithApprovals<Of extends Agent<any, any>>(asker: Asker, agent: Of, input: string): Promise<unknown> {
  let result: RunResult<undefined, Of> = await run(agent, input);
  while (result.interruptions.length > 0) {
    const questions = result.interruptions.map((item, index) => [`call${index}`, confirm(`Run ${item.name} with ${item.arguments}?`)]);
    const ending = await askForEnding(asker, Object.fromEntries(questions));
    for (const [index, item] of result.interruptions.entries()) {
      if (ending.kind === "answered" && ending.values[`call${index}`] === true) result.state.approve(item);
      else result.state.reject(item);
    }
    result = await run(agent, result.state);
  }
  return result.finalOutput;
}
