import { AskboxError } from "@askbox/core";
import { terminalLine } from "@askbox/terminal-text";
import type { CommandContext } from "./context.ts";

/** Agents can ask but never answer: refuses to settle a question from an agent's environment. Throws `FORBIDDEN`. */
export async function peopleOnly(context: CommandContext, what: string): Promise<void> {
  const agent = await context.agentToRefuse();
  if (agent === undefined) return;
  throw new AskboxError(
    "FORBIDDEN",
    `This shell belongs to ${terminalLine(agent)}, and agents must not ${what} questions: do it in your own terminal, or set allowAnswerFromAgents to true in askbox's config.json.`,
  );
}
