import { limits } from "@askbox/core";
import { statusSchema } from "@askbox/core/schemas";
import * as z from "zod";
import {
  answerSetSchema,
  askBackSchema,
  askerInfoSchema,
  draftPatchSchema,
  draftSchema,
  grantSchema,
  registeredAgentSchema,
  sessionRecordSchema,
  sessionViewSchema,
  tallySchema,
} from "./core-schemas.ts";

/**
 * How a request may be repeated after a connection broke before its reply came:
 * - `read`: idempotent, so it is simply sent again;
 * - `operation`: changes something, so it carries an `op` that is stored with what it changed, and takes effect once;
 * - `held`: lasts until it has its result, is cancelled or the channel closes, and is restarted on a new channel under the same `op`;
 * - `once`: never sent again.
 */
export type Repeat = "read" | "operation" | "held" | "once";
/** What a connection is for: asking or answering. */
export type Role = "asker" | "desk";

interface MethodSpec {
  role: Role;
  repeat: Repeat;
  params: z.ZodType;
  result: z.ZodType;
}

const sessionId = z.string().min(1).max(200);
const nothing = z.null();
/** Milliseconds. */
const duration = z.number().min(0);

/** How a tool call ended. */
const callEndSchema = z.object({
  tool: z.string().min(1).max(100),
  status: z.enum(["ok", "error", "aborted"]),
  /** The error's code. */
  error: z.string().max(100).optional(),
});
/** How a tool call ended. */
export type ToolCallEnd = z.infer<typeof callEndSchema>;

/** A logged-in browser. Times are wall time in ms since the epoch. */
const deviceSchema = z.object({
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

/** The wait of an ask or `resume`: `maxWait` in ms. */
const wait = { maxWait: duration.optional(), earlier: z.boolean().optional() };
const handoverSchema = z.object({
  session: sessionRecordSchema,
  earlier: z.array(sessionRecordSchema),
  late: z.boolean(),
  joined: z.boolean(),
});
/** Who resumes a session by its id; without it, any agent of the token. */
const claimed = { asker: askerInfoSchema.optional() };
const given = z
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

/** The person on whose behalf a request is sent. */
export const onBehalf = {
  by: z
    .object({ name: z.string().trim().min(1).max(200) })
    .optional()
    .describe("The person on whose behalf this is sent; for tokens created with `--on-behalf`."),
};

const asker = {
  /**
   * `request` is parsed by the core's `parseAsk`, whose messages are part of the contract. A message before the result reports that the
   * questions are open; on another connection the ask continues by `sessionId`.
   */
  ask: {
    role: "asker",
    repeat: "held",
    params: z.object({
      request: z.unknown().optional(),
      asker: askerInfoSchema,
      key: z.string().max(limits.key.max).optional(),
      registeredOnly: z.boolean().optional(),
      replaces: sessionId.optional(),
      sessionId: sessionId.optional(),
      ...wait,
    }),
    result: handoverSchema,
  },
  /** `reply` answers what a person asked back; if the request is repeated, it is stored once. */
  resume: {
    role: "asker",
    repeat: "held",
    params: z.object({ sessionId, reply: z.string().optional(), ...claimed, ...wait }),
    result: handoverSchema,
  },
  withdraw: {
    role: "asker",
    repeat: "operation",
    params: z.object({ sessionId, reason: z.string().max(1_000).optional(), ...claimed }),
    result: sessionRecordSchema,
  },
  collect: {
    role: "asker",
    repeat: "read",
    params: z.object({ asker: askerInfoSchema }),
    result: z.object({ earlier: z.array(sessionRecordSchema) }),
  },
  /** These outcomes were delivered. */
  ack: { role: "asker", repeat: "read", params: z.object({ given, callId: z.string().max(200).optional(), ...claimed }), result: nothing },
  /** They were not delivered, and the next call may get them. */
  nack: { role: "asker", repeat: "read", params: z.object({ given }), result: nothing },
  /** Reports a finished tool call of an MCP server, for the metrics only. */
  called: { role: "asker", repeat: "once", params: callEndSchema, result: nothing },
  takesForms: { role: "asker", repeat: "read", params: z.object({}), result: z.boolean() },
  /** An answer that a person gave in the client's own form. */
  answeredInForm: {
    role: "asker",
    repeat: "operation",
    params: z.object({ sessionId, set: answerSetSchema, ...claimed }),
    result: sessionRecordSchema,
  },
} as const satisfies Record<string, MethodSpec>;

const desk = {
  list: {
    role: "desk",
    repeat: "read",
    params: z.object({
      statuses: z.array(statusSchema).readonly().optional(),
      project: z.string().optional(),
      agentId: z.string().optional(),
      clientName: z.string().optional(),
      text: z.string().optional(),
      limit: z.int().min(1).max(1_000).optional(),
      cursor: z.string().optional(),
      order: z.enum(["newest", "oldest"]).optional(),
    }),
    result: z.object({ items: z.array(sessionViewSchema), nextCursor: z.string().optional() }),
  },
  get: { role: "desk", repeat: "read", params: z.object({ sessionId }), result: sessionViewSchema },
  /** Days are given by when they begin: wall time in ms since the epoch, ascending. */
  tally: { role: "desk", repeat: "read", params: z.object({ days: z.array(z.number()).min(1).max(400).readonly() }), result: tallySchema },
  /** Its events use the request's id as `watch`; the first is a snapshot and comes before the reply. */
  watch: {
    role: "desk",
    repeat: "held",
    params: z.object({ project: z.string().optional(), agentId: z.string().optional(), sessionId: z.string().optional() }),
    result: nothing,
  },
  answer: {
    role: "desk",
    repeat: "operation",
    params: z.object({ sessionId, set: answerSetSchema, delay: duration.max(60_000).optional(), ...onBehalf }),
    result: sessionViewSchema,
  },
  recall: { role: "desk", repeat: "operation", params: z.object({ sessionId, ...onBehalf }), result: sessionViewSchema },
  cancel: {
    role: "desk",
    repeat: "operation",
    params: z.object({ sessionId, reason: z.string().optional(), ...onBehalf }),
    result: sessionViewSchema,
  },
  extend: {
    role: "desk",
    repeat: "operation",
    params: z.object({ sessionId, timeout: z.number().min(1_000).max(86_400_000).nullable(), ...onBehalf }),
    result: sessionViewSchema,
  },
  getDraft: { role: "desk", repeat: "read", params: z.object({ sessionId }), result: draftSchema.nullable() },
  saveDraft: {
    role: "desk",
    repeat: "operation",
    params: z.object({ sessionId, patch: draftPatchSchema, ...onBehalf }),
    result: draftSchema,
  },
  reply: {
    role: "desk",
    repeat: "operation",
    params: z.object({ sessionId, set: answerSetSchema, ...onBehalf }),
    result: sessionViewSchema,
  },
  askBack: {
    role: "desk",
    repeat: "operation",
    params: z.object({ sessionId, message: askBackSchema, ...onBehalf }),
    result: sessionViewSchema,
  },
  attend: { role: "desk", repeat: "held", params: z.object({ sessionId }), result: nothing },
} as const satisfies Record<string, MethodSpec>;

const control = {
  listAgents: { role: "desk", repeat: "read", params: z.object({}), result: z.array(registeredAgentSchema) },
  /** Idempotent. */
  addAgent: { role: "desk", repeat: "read", params: z.object({ agent: registeredAgentSchema }), result: registeredAgentSchema },
  removeAgent: { role: "desk", repeat: "read", params: z.object({ id: z.string() }), result: z.boolean() },
  /** What people have allowed in advance. */
  listGrants: { role: "desk", repeat: "read", params: z.object({}), result: z.array(grantSchema) },
  /** False if there is none. */
  revokeGrant: { role: "desk", repeat: "read", params: z.object({ id: z.string().max(100) }), result: z.boolean() },
  /** The logged-in browsers, most recently used first. */
  listDevices: { role: "desk", repeat: "read", params: z.object({}), result: z.array(deviceSchema) },
  /** Logs a browser out for good; false if there is none. */
  revokeDevice: { role: "desk", repeat: "read", params: z.object({ id: z.string().max(100) }), result: z.boolean() },
  status: { role: "desk", repeat: "read", params: z.object({}), result: z.record(z.string(), z.unknown()) },
  stop: { role: "desk", repeat: "once", params: z.object({}), result: nothing },
} as const satisfies Record<string, MethodSpec>;

/** All methods of a hub. */
export const methods = Object.freeze({ ...asker, ...desk, ...control });
/** The name of a method of the wire. */
export type MethodName = keyof typeof methods;
/** The parameters of a method. */
export type Params<Name extends MethodName> = z.input<(typeof methods)[Name]["params"]>;
/** The result of a method. */
export type Result<Name extends MethodName> = z.output<(typeof methods)[Name]["result"]>;

export function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}
