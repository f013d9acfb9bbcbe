import type { ErrorCode } from "@askbox/core";
import { presenceSchema, surfaceSchema } from "@askbox/core/schemas";
import { errorCodes } from "@askbox/core/transport";
import * as z from "zod";
import { answererSchema, draftSchema, sessionRecordSchema, sessionViewSchema } from "./core-schemas.ts";

const requestId = z.int().min(0);

/**
 * Identifies a browser's login. The hub answers with a challenge that proves its own identity before it receives anything else; see
 * `LoginProof`.
 */
const loginSchema = /* @__PURE__ */ (() =>
  z.object({ id: z.string().min(1).max(100), origin: z.string().max(300), nonce: z.string().min(16).max(100) }))();
/** How a logged-in browser identifies itself. */
export type LoginHello = z.infer<typeof loginSchema>;

const proof = z.string().regex(/^[0-9a-f]{64}$/);
/** The hub's answer to a hello with a login. */
export const challengeSchema = z.object({ challenge: z.object({ hub: z.string().max(200), nonce: z.string().min(16).max(100), proof }) });
/** How a hub proves itself to a logged-in browser. */
export type Challenge = z.infer<typeof challengeSchema>["challenge"];
/** The page's own proof, once the hub's was correct. */
export const proofSchema = /* @__PURE__ */ (() => z.object({ proof }))();

/** Identifies the client; the first message on a channel. */
export const helloSchema = /* @__PURE__ */ (() =>
  z.object({
    hello: z.object({
      protocol: z.int(),
      /** The token; a logged-in browser sends `login` instead. */
      token: z.string().max(1_000).optional(),
      login: loginSchema.optional(),
      role: z.enum(["asker", "desk"]),
      /** Where a desk's person answers; required for a desk. */
      surface: surfaceSchema.optional(),
      /** The person or device behind a desk. */
      name: z.string().max(200).optional(),
      /** The client program. */
      agent: z.object({ name: z.string().max(200), version: z.string().max(200) }),
    }),
  }))();
/** The first message of a client. */
export type Hello = z.infer<typeof helloSchema>["hello"];

/** A method with its params; `op` identifies a request, so that the hub recognizes it when it is repeated. */
export const requestSchema = /* @__PURE__ */ (() =>
  z.object({
    id: requestId,
    method: z.string(),
    params: z.unknown().optional(),
    op: z.string().min(1).max(200).optional(),
  }))();
/** A method call, as it is sent. */
export type Request = z.infer<typeof requestSchema>;

/** Ends an ask, a watch or an attendance. If it arrives too late, it is ignored. */
export const cancelSchema = /* @__PURE__ */ (() => z.object({ cancel: requestId }))();

/** Checks whether the other side is alive, since browsers cannot send ping frames. Sent by both sides. */
export const pingSchema = z.object({ ping: z.number() });
/** Checks the reply to a ping. */
export const pongSchema = z.object({ pong: z.number() });

const errorCodeNames = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];
/** An unknown code is read as `INTERNAL`. */
export const errorShapeSchema = z.object({
  code: z.enum(errorCodeNames).catch("INTERNAL"),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** Information about the hub. Hubs may add fields. */
export const hubInfoSchema = z.looseObject({
  version: z.string(),
  /** One run of one hub. */
  instance: z.string(),
});
/** A hub's description of itself. */
export type HubInfo = z.infer<typeof hubInfoSchema>;

/** Checks the hub's reply to a hello. */
export const welcomeSchema = z.object({
  welcome: z.object({
    protocol: z.int(),
    hub: hubInfoSchema,
    /** Who a desk acts for. */
    by: answererSchema.optional(),
    /** The methods whose `delay` the hub knows; without it, only that of `answer`. */
    holds: z.array(z.string()).optional(),
  }),
});
export type Welcome = z.infer<typeof welcomeSchema>["welcome"];

/** Why the hello was rejected; the channel closes after it. */
export const refusalSchema = z.object({ error: errorShapeSchema });
/** The questions of an ask are open; the result follows once they are settled or the wait is over. */
export const openedSchema = z.object({ id: requestId, opened: z.object({ session: sessionRecordSchema, joined: z.boolean() }) });
/** Checks the message with a request's result. */
export const resultSchema = z.object({ id: requestId, result: z.unknown().optional() });
/** Checks the message that a request failed. */
export const failureSchema = z.object({ id: requestId, error: errorShapeSchema });

/** Checks an event of a desk's watch. */
export const deskEventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("snapshot"),
    sessions: z.array(sessionViewSchema),
    drafts: z.array(draftSchema),
    /** Only in parts of a snapshot that are not the last. */
    more: z.literal(true).optional(),
  }),
  z.object({ type: z.literal("session"), session: sessionViewSchema, opened: z.literal(true).optional() }),
  z.object({ type: z.literal("removed"), sessionId: z.string() }),
  z.object({ type: z.literal("draft"), draft: draftSchema }),
  z.object({ type: z.literal("draft_erased"), sessionId: z.string() }),
]);
/** The same with presence by itself, which only those get who ask for it. */
const sentEventSchema = z.discriminatedUnion("type", [
  ...deskEventSchema.options,
  z.object({ type: z.literal("presence"), sessionId: z.string(), presence: presenceSchema }),
]);
/** A watcher's event as sent: a `snapshot` may come in parts, of which all but the last have `more`, with changes in between. */
export type SentEvent = z.infer<typeof sentEventSchema>;
/** A `snapshot` may come at any time and replaces everything before it. */
export const watchEventSchema = z.object({ watch: requestId, event: sentEventSchema });
/**
 * The hub is closing: it finishes what it has begun, then closes the channel. Send nothing more on it. The reason may be one of
 * `byeReasons`.
 */
export const byeSchema = z.object({ bye: z.string() });

/** What a client sends after its hello. */
export const clientMessageSchema = /* @__PURE__ */ (() => z.union([requestSchema, cancelSchema, pingSchema, pongSchema]))();
/** What a hub sends after its welcome. */
export const hubMessageSchema = z.union([failureSchema, openedSchema, resultSchema, watchEventSchema, byeSchema, pingSchema, pongSchema]);
/** Any message of a hub. */
export type HubMessage = z.infer<typeof hubMessageSchema>;
