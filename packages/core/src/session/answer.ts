import * as z from "zod";

/**
 * What a person gave for one question; the shape of the `ask_user` contract, and a `note`.
 * `values` is empty when the question was skipped, or when `customText` (Other) stands alone.
 */
export const answerSchema = z.object({
  questionId: z.string(),
  values: z.array(z.string()),
  customText: z.string().optional(),
  note: z.string().optional(),
  /** The arguments with which an action is allowed, where they were changed. */
  input: z.record(z.string(), z.unknown()).optional(),
});
export type Answer = z.infer<typeof answerSchema>;

/** What a surface sends to answer a session. */
export const answerSetSchema = z.object({
  answers: z.array(answerSchema),
  comment: z.string().optional(),
});
export type AnswerSet = z.infer<typeof answerSetSchema>;
