import type { AskRequest, AskResult, EarlierResult, Question } from "@askbox/core";

/** A ticket in a sentence: the question is open, and how to go on waiting. */
export function ticketSentence({ sessionId }: AskResult): string {
  return `Pending: the person has not answered yet, and this is not an answer. The question stays open under sessionId ${sessionId}: call get_answer with it to go on waiting.`;
}

export function timeoutSentence({ sessionId, seen }: AskResult, request: AskRequest | undefined): string {
  const within = request === undefined ? "in time" : `within ${inWords(request.timeout)}`;
  const who = seen === true ? "somebody had it open" : "nobody had it open";
  return `Failed: timed out. The person did not answer ${within}; ${who} (status: timed_out, sessionId: ${sessionId}). Silence is not a decision: do not go on as if the person had agreed.`;
}

/** What comes along with a result: a remark on where it came from, and outcomes of before. Undefined if there is neither. */
export function besides({ late, earlier = [] }: AskResult, answersOf: (earlier: EarlierResult) => string): string | undefined {
  const remark = late === true ? "This was answered after an earlier call of yours with the same question had ended." : undefined;
  const past = earlier.map((one) => `${headlineOf(one)}\n${pastOutcome(one, answersOf)}`);
  const parts = [remark, ...(past.length === 0 ? [] : ["Of your earlier questions, which you have not been told before:", ...past])];
  return parts.filter((part) => part !== undefined).join("\n\n") || undefined;
}

/** The questions of an earlier result as far as it tells them; its labels are its values. */
export const earlierQuestions = ({ questions }: EarlierResult): Question[] =>
  questions.map(({ id, question }) => ({ id, question, type: "text", required: false }));

function headlineOf({ title, questions }: EarlierResult): string {
  return title ?? questions.map(({ question }) => question).join(" / ");
}

function pastOutcome(one: EarlierResult, answersOf: (earlier: EarlierResult) => string): string {
  const afterwards = one.repliedAfterTimeout ? "The person replied after the timeout, which stands:\n" : "";
  if (one.answered || one.repliedAfterTimeout) return `${afterwards}${answersOf(one)}`;
  if (one.cancelled) return one.reason === undefined ? "Turned down by the person." : `Turned down. Reason: ${one.reason}`;
  return "Timed out: nobody answered.";
}

function inWords(milliseconds: number): string {
  const [count, unit] = milliseconds % 60_000 === 0 ? [milliseconds / 60_000, "minute"] : [Math.round(milliseconds / 1_000), "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
