// The messages of the wire, its version, and why a channel closes: what both sides must agree on before the table of operations counts.

import type { ErrorCode } from "@askbox/core";
import { presenceSchema, surfaceSchema } from "@askbox/core/schemas";
import { errorCodes } from "@askbox/core/transport";
import * as z from "zod";
import { answererSchema, draftSchema, sessionRecordSchema, sessionViewSchema } from "./schemas.ts";

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

/** The version of the messages in this folder. Increased for incompatible changes; adding a field or a method is compatible. */
export const wireProtocol = 2;

/** The methods that take a `delay`, in the welcome: a hub that doesn't know one would settle the session at once. */
export const heldMethods: readonly string[] = ["answer", "cancel"];

/** No released hub speaks an older one. */
const firstProtocol = 2;

/**
 * The versions that a hub accepts: this one and the one before, so that a hub and the commands around it need not be updated at the same
 * moment.
 */
export const servedProtocols: readonly number[] = /* @__PURE__ */ (() =>
  [wireProtocol, wireProtocol - 1].filter((version) => version >= firstProtocol))();

/**
 * Why askbox closed a channel. All codes are between 4000 and 4999, since a browser's WebSocket rejects any other code except 1000 (WHATWG
 * WebSockets, `close()`).
 */
export const closeCodes = Object.freeze({
  done: 1000,
  /** Nothing arrived from the other side within the keep-alive's time. */
  unresponsive: 4000,
  /** The hub is closing; connect again. */
  closing: 4001,
  malformed: 4400,
  refused: 4403,
  helloTimeout: 4408,
  tooLarge: 4413,
});

/** Reasons in a hub's `bye` that its clients act on; any other is a sentence for people. */
export const byeReasons = Object.freeze({
  /** The hub was stopped on purpose. Clients wait for one that somebody else starts, and do not start one themselves. */
  stopped: "stopped",
  /** The hub was only for a demonstration, which has ended: none at its address will follow. */
  ended: "ended",
});

/** What both sides of a browser's login use to prove that they know its key. */
export interface LoginProof {
  /** The hub's identity, the same in each of its runs. */
  hub: string;
  /** The origin of the page, such as `http://127.0.0.1:4141`; a proof is valid for one origin only. */
  origin: string;
  /** The login's id. */
  id: string;
  /** Random, from the page and from the hub; new for each connection. */
  pageNonce: string;
  hubNonce: string;
}

/** The text whose SHA-256 is the key of a login, different for each hub. */
export const loginKeyText = (hub: string, secret: string): string => JSON.stringify(["askbox login: key", hub, secret]);

/** The text whose HMAC-SHA-256, as lower-case hex, is this side's proof. The key is the SHA-256 of `loginKeyText`. */
export function loginProofText(side: "hub" | "page", { hub, origin, id, pageNonce, hubNonce }: LoginProof): string {
  return JSON.stringify([`askbox login: ${side}`, hub, origin, id, pageNonce, hubNonce]);
}
