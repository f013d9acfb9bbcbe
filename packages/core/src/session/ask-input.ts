import * as z from "zod";
import { limits } from "./limits.ts";
import { questionInputSchema } from "./questions/schemas.ts";

/** The tool's input. Unknown fields are stripped. */
export const askInputSchema = z.object({
  questions: z.array(questionInputSchema).min(limits.questions.min).max(limits.questions.max),
  title: z.string().max(limits.titleLength.max).optional(),
  timeout: z.int().min(limits.timeout.min).max(limits.timeout.max).optional(),
});
/** What an agent sends, before `parseAsk` has filled in the defaults. */
export type AskInput = z.input<typeof askInputSchema>;
