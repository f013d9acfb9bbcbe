/** LangGraph.js: an interrupt of LangChain's human-in-the-loop middleware is put to a person, and the decisions resume the graph. */
import { type Asker, askForEnding, confirm } from "@askbox/core";
import { Command, type Interrupt } from "@langchain/langgraph";

/** As the middleware has it. */
export interface HITLRequest {
  actionRequests: { name: string; args: Record<string, unknown>; description?: string }[];
  reviewConfigs: { actionName: string; allowedDecisions: ("approve" | "edit" | "reject")[] }[];
}
export interface HITLResponse {
  decisions: ({ type: "approve" } | { type: "reject"; message?: string })[];
}

/** One decision for each action. What nobody answered is rejected: silence is not a yes. */
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

/** What to invoke the graph with next. */
export async function resume(
  asker: Asker,
  [interrupt]: readonly Interrupt<HITLRequest>[],
): Promise<Command<HITLResponse, Record<string, unknown>, never>> {
  if (interrupt?.value === undefined) throw new Error("The graph waits for nobody.");
  return new Command({ resume: await decide(asker, interrupt.value) });
}
