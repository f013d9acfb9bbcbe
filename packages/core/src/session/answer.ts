import * as z from "zod";

/**
 * A person's answer to one question, in the format of the `ask_user` contract plus a `note`. `values` is empty if the question was skipped,
 * or if there is only `customText` (Other).
 */
export const answerSchema = z.object({
  questionId: z.string(),
  values: z.array(z.string()),
  customText: z.string().optional(),
  note: z.string().optional(),
  /** The arguments with which an action is allowed, if they were changed. */
  input: z.record(z.string(), z.unknown()).optional(),
});
/** The answer to one question: chosen `values`, `customText` in the person's own words, or both. */
export type Answer = z.infer<typeof answerSchema>;

/** What a surface sends to answer a session. */
export const answerSetSchema = /* @__PURE__ */ (() =>
  z.object({
    answers: z.array(answerSchema),
    comment: z.string().optional(),
  }))();
/** A person's answers to the questions of one session, with an optional comment. */
export type AnswerSet = z.infer<typeof answerSetSchema>;
