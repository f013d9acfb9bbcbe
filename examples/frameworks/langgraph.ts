/** LangGraph.js: a person is asked about an interrupt of LangChain's human-in-the-loop middleware, and the decisions resume the graph. */
import { type Asker, askForEnding, confirm } from "@askbox/core";
import { Command, type Interrupt } from "@langchain/langgraph";

/** The middleware's own shape. */
export interface HITLRequest {
  actionRequests: { name: string; args: Record<string, unknown>; description?: string }[];
  reviewConfigs: { actionName: string; allowedDecisions: ("approve" | "edit" | "reject")[] }[];
}
export interface HITLResponse {
  decisions: ({ type: "approve" } | { type: "reject"; message?: string })[];
}

/** One decision per action. Unanswered ones are rejected: a timeout is not a yes. */
export async function decide(asker: Asker, { actionRequests }: HITLRequest): Promise<HITLResponse> {
  const questions = actionRequests.map(({ name, args, description }, index) => {
    const question = description ?? `Run ${name} with ${JSON.stringify(args)}?`;
    return [`action${index}`, confirm(question)] as const;
  });
  const ending = await askForEnding(asker, Object.fromEntries(questions));
  return {
    decisions: questions.map(([id]) => {
      if (ending.kind !== "answered") return { type: "reject", message: "Nobody approved it." };
      return ending.values[id] ? { type: "approve" } : { type: "reject", message: "A person turned it down." };
    }),
  };
}

/** The input that resumes the graph. */
export async function resume(
  asker: Asker,
  [interrupt]: readonly Interrupt<HITLRequest>[],
): Promise<Command<HITLResponse, Record<string, unknown>, never>> {
  if (interrupt?.value === undefined) throw new Error("The graph waits for nobody.");
  return new Command({ resume: await decide(asker, interrupt.value) });
}
