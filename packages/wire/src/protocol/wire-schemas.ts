import * as z from "zod";
import { sessionRecordSchema } from "./core-schemas.ts";

export const sessionId = z.string().min(1).max(200);

/** How a tool call ended. */
export const callEndSchema = z.object({
  tool: z.string().min(1).max(100),
  status: z.enum(["ok", "error", "aborted"]),
  /** The error's code. */
  error: z.string().max(100).optional(),
});
/** How a tool call ended. */
export type ToolCallEnd = z.infer<typeof callEndSchema>;

/** A logged-in browser. Times are wall time in ms since the epoch. */
export const deviceSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Who uses it, if that is known. */
  person: z.string().optional(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  /** When it is logged out because the token it logged in with expires. */
  expiresAt: z.number().optional(),
  /** Whether it is the browser that sent the request. */
  current: z.boolean(),
});
/** A logged-in browser, as desks see it. */
export type WireDevice = z.infer<typeof deviceSchema>;

/** What an ask has brought. */
export const handoverSchema = z.object({
  session: sessionRecordSchema,
  earlier: z.array(sessionRecordSchema),
  late: z.boolean(),
  joined: z.boolean(),
});

/** The sessions that a call has returned. */
export const delivered = z
  .array(
    z.object({
      sessionId,
      withOutcome: z.boolean().default(true),
      withReply: z.boolean(),
      /** The number of messages in its thread. */
      messages: z.int().min(0).default(0),
    }),
  )
  .max(100);
