import { traitsOf } from "@askbox/core/questions";
import type { FormState } from "../form/form-state.ts";

/** Whether an action would be allowed although its lines were commented, which only a denial tells the agent. */
export const allowsCommented = ({ session, fields }: Pick<FormState, "session" | "fields">): boolean =>
  session.questions.some((question) => {
    const { values = [], comments } = fields[question.id] ?? {};
    return comments !== undefined && traitsOf(question).picks === "decision" && values.some((value) => value !== "deny");
  });
