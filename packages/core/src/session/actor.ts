import * as z from "zod";

/** Places where a person answers. `client` is the MCP client's own elicitation form. */
export const surfaces = ["terminal", "web", "cli", "client", "api"] as const;
/** Checks a surface where a person answers. */
export const surfaceSchema = z.enum(surfaces);
/** A place where a person answers. */
export type Surface = z.infer<typeof surfaceSchema>;

/** Who answered: the surface, and the person's or device's name if known. */
export const answererSchema = z.object({ surface: surfaceSchema, name: z.string().optional() });
/** The person at a desk: where they answer and, if known, their name. */
export type Answerer = z.infer<typeof answererSchema>;

/**
 * Who or what produced an outcome: a person at a surface, a person's grant (`name` is its id), the asker that withdrew, or the deadline.
 */
export const actorSchema = /* @__PURE__ */ (() =>
  z.object({
    surface: z.enum([...surfaces, "grant", "asker", "deadline"]),
    name: z.string().optional(),
  }))();
/** Who or what produced an outcome; `surface` says where. */
export type Actor = z.infer<typeof actorSchema>;
