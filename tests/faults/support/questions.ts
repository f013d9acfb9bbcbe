import type { AnswerSet, AskerInfo, AskRequest, AskResult, Desk, SessionView } from "@askbox/core";
import { until } from "../../support/until.ts";

/** A request with one question for a text. */
export const oneQuestion = (question: string, timeout = 300_000): AskRequest => ({
  questions: [{ id: "q", type: "text", question, required: true }],
  timeout,
});

export const answerOf = (text: string): AnswerSet => ({ answers: [{ questionId: "q", values: [text] }] });

export const asker = (agentId: string): AskerInfo => ({ client: { name: "faults", version: "1" }, project: "/project", agentId });

/** The text that answered the only question; undefined if nobody answered. */
export function textOf(result: Pick<AskResult, "answers"> | SessionView["outcome"] | undefined): string | undefined {
  return result !== undefined && "answers" in result ? result.answers[0]?.values[0] : undefined;
}

/** The pending session with this question. */
export function pendingSession(desk: Desk, question: string): Promise<SessionView> {
  return until(`somebody asks ${JSON.stringify(question)}`, async () => {
    const { items } = await desk.list({ statuses: ["pending"], limit: 1_000 });
    return items.find(({ questions }) => questions[0]?.question === question);
  });
}

/** Every session of the home, a thousand at a time. */
export async function allSessions(desk: Desk): Promise<SessionView[]> {
  const sessions: SessionView[] = [];
  let cursor: string | undefined;
  do {
    const page = await desk.list({ limit: 1_000, cursor });
    sessions.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return sessions;
}
