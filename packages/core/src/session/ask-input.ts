import { z } from "zod";
import { limits } from "./limits.ts";

const typeNames = ["text", "select", "multi-select", "confirm"] as const;

const optionInputSchema = z.union([
  z.string(),
  z.object({
    label: z.string(),
    value: z.string().optional(),
    description: z.string().optional(),
    recommended: z.boolean().optional(),
    preview: z.string().optional(),
  }),
]);

/** A question as an agent sends it: the `ask_user` contract's `QuestionInfo` and askbox's own fields. */
export const questionInputSchema = z.object({
  id: z.string().optional(),
  question: z.string().min(limits.questionLength.min).max(limits.questionLength.max),
  type: z.enum(typeNames).default("text"),
  options: z.array(optionInputSchema).optional(),
  required: z.boolean().default(true),
  placeholder: z.string().optional(),
  header: z.string().optional(),
  allowOther: z.boolean().default(true),
});
export type QuestionInput = z.infer<typeof questionInputSchema>;

/** The tool's input. Unknown fields are stripped. */
export const askInputSchema = z.object({
  questions: z.array(questionInputSchema).min(limits.questions.min).max(limits.questions.max),
  title: z.string().max(limits.titleLength.max).optional(),
  timeout: z.int().min(limits.timeout.min).max(limits.timeout.max).optional(),
});
export type AskInput = z.input<typeof askInputSchema>;
