import * as z from "zod";
import { actorSchema } from "./actor.ts";
import { answerSchema, filesSchema } from "./answer.ts";

/** Wall time in milliseconds since the Unix epoch. */
export const timeSchema = z.number();

/** How a session ended, and who or what ended it. */
export const outcomeSchema = /* @__PURE__ */ (() =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("answered"),
      answers: z.array(answerSchema),
      comment: z.string().optional(),
      files: filesSchema,
      by: actorSchema,
      at: timeSchema,
    }),
    z.object({ kind: z.literal("cancelled"), reason: z.string().optional(), by: actorSchema, at: timeSchema }),
    z.object({ kind: z.literal("timedOut"), by: actorSchema, at: timeSchema }),
  ]))();
/** How a session ended, by whom and when. */
export type Outcome = z.infer<typeof outcomeSchema>;
