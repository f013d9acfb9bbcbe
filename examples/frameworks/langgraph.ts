/** LangGraph.js: a person is asked about an interrupt of LangChain's human-in-the-loop middleware, and the decisions resume the graph. */
import { type Asker, approval, askForEnding } from "@askbox/core";
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
export function decide(asker: Asker, { actionRequests }: HITLRequest): Promise<HITLResponse["decisions"]> {
  return Promise.all(
    actionRequests.map(async ({ name, args, description = `Run ${name}` }) => {
      const action = { kind: "tool", tool: name, text: description, input: args } as const;
      const ending = await askForEnding(asker, { call: approval(`May the agent run ${name}?`, action) });
      if (ending.kind !== "answered") return { type: "reject", message: "Nobody approved it." };
      const { allowed, reason = "A person turned it down." } = ending.values.call;
      return allowed ? { type: "approve" } : { type: "reject", message: reason };
    }),
  );
}

/** The input that resumes the graph. */
export async function resume(
  asker: Asker,
  [interrupt]: readonly Interrupt<HITLRequest>[],
): Promise<Command<HITLResponse, Record<string, unknown>, never>> {
  if (interrupt?.value === undefined) throw new Error("The graph waits for nobody.");
  return new Command({ resume: { decisions: await decide(asker, interrupt.value) } });
}
