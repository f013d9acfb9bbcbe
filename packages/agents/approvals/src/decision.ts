import type { SessionRecord } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import type { Decision } from "./approval.ts";

/** The decision of a person, or of a person's grant; undefined if nobody decided. Only an answer that allows it allows it. */
export function decisionOf({ context: { outcome }, request }: SessionRecord): Decision | undefined {
  if (outcome?.kind === "cancelled") {
    return outcome.by.surface === "asker" ? undefined : { kind: "deny", reason: outcome.reason };
  }
  if (outcome?.kind !== "answered") return undefined;
  const [question] = request.questions;
  const answer = outcome.answers.find(({ questionId }) => questionId === question?.id);
  const [value] = answer?.values ?? [];
  if (question === undefined || traitsOf(question).picks !== "decision" || answer === undefined || value === undefined) return undefined;
  const words = [answer.customText, answer.note, outcome.comment].filter((text) => text !== undefined && text.trim() !== "");
  if (value === "deny") return { kind: "deny", reason: words.length === 0 ? undefined : words.join("\n") };
  return { kind: "allow", input: answer.input };
}

/** What an agent reads about a denial: who denied it and what became of it, then the person's words. */
export function denial(reason: string | undefined): string {
  const fact = "A person denied this in askbox, and it was not run.";
  return reason === undefined || reason.trim() === "" ? fact : `${fact} Their words: ${reason}`;
}
