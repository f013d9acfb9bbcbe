import * as z from "zod";
import { answerSchema, filesSchema } from "./answer.ts";

/** Wall time in milliseconds since the Unix epoch. */
export const timeSchema = z.number();

/** askbox's own places where a person answers. `client` is the MCP client's own elicitation form. */
export const surfaces = ["terminal", "web", "cli", "client", "api"] as const;
/** Checks a surface where a person answers: one of `surfaces`, or another in 1 to 40 lower-case letters, digits and hyphens. */
export const surfaceSchema = /* @__PURE__ */ (() => z.string().regex(/^(?!(?:grant|asker|deadline)$)[a-z][a-z0-9-]{0,39}$/))();
/** A place where a person answers: one of `surfaces`, or another one, such as a chat; an unknown one is shown by its name. */
export type Surface = (typeof surfaces)[number] | (string & {});

/** Who answered: the surface, and the person's or device's name if known. */
export const answererSchema = z.object({ surface: surfaceSchema, name: z.string().optional() });
/** The person at a desk: where they answer and, if known, their name. */
export type Answerer = z.infer<typeof answererSchema>;

/**
 * Who or what produced an outcome: a person at a surface, a person's grant (`name` is its id), the asker that withdrew, or the deadline.
 */
export const actorSchema = /* @__PURE__ */ (() =>
  z.object({
    surface: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
    name: z.string().optional(),
  }))();
/** Who or what produced an outcome; `surface` says where. */
export type Actor = z.infer<typeof actorSchema>;

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
