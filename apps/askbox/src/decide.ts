import type { Answer, Question, SessionView } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import type { CommandContext } from "./context.ts";
import { peopleOnly } from "./people-only.ts";
import { usageError } from "./usage.ts";

/** Answers a session with a single approval. Throws `VALIDATION` if the session contains anything else. */
export async function decide(
  context: CommandContext,
  command: "allow" | "deny",
  id: string,
  answer: Omit<Answer, "questionId"> | ((question: Question) => Omit<Answer, "questionId">),
): Promise<SessionView> {
  await peopleOnly(context, command);
  const desk = await context.desk();
  const { id: sessionId, questions } = await desk.get(id);
  const [question, ...more] = questions;
  if (question === undefined || more.length > 0 || traitsOf(question).picks !== "decision") {
    throw usageError(`This is not a permission request; answer it with \`askbox answer ${id}\`.`);
  }
  return desk.answer(sessionId, { answers: [{ questionId: question.id, ...(typeof answer === "function" ? answer(question) : answer) }] });
}
