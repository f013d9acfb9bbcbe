// The table of operations: for each, who may call it, how it may be repeated after a lost connection, which method of a port it calls, and
// where it is in the REST interface. The client, the hub, REST and the documentation are all made from it.

import { projectSchema, ranQuerySchema, statusSchema } from "@askbox/core/schemas";
import { limits } from "@askbox/core/transport";
import * as z from "zod";
import {
  answerSetSchema,
  askBackSchema,
  askerInfoSchema,
  callEndSchema,
  conversationSchema,
  delivered,
  deviceSchema,
  draftPatchSchema,
  draftSchema,
  grantSchema,
  handoverSchema,
  outlookSchema,
  ranPageSchema,
  registeredAgentSchema,
  sessionId,
  sessionRecordSchema,
  sessionViewSchema,
  tallySchema,
} from "./schemas.ts";

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
/** The error responses that are distinguished, by status. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429;

/** How an operation is called over HTTP. */
export interface Rest {
  /** Method and path, where `{id}` is the first argument. */
  at: `${"GET" | "POST" | "PATCH" | "DELETE"} /api/${string}`;
  /** The operation's id in OpenAPI. */
  id: string;
  summary: string;
  /** The name of the body's schema. The body has the parameters other than `id`. */
  body?: string;
  /** The parameter whose fields are the body's own fields. */
  inline?: string | undefined;
  /** A parameter that the body does not have. */
  without?: string;
  /** Default 200. A `DELETE` with 204 responds with 404 if there was nothing to remove. */
  status?: 200 | 201 | 204;
  /** The name of the response's schema. A list is sent as `items`. */
  answer?: string;
  /** The response is an endless stream of server-sent events. */
  isStream?: true;
  /** Who may call it. Default: the operation's role. */
  scopes?: readonly Role[];
  /** In addition to those of every operation: 401, 403 and 429, and 400 and 413 if it has a body. */
  refusals?: readonly RefusalStatus[];
}

/** One row of the table of operations. */
export interface Operation {
  role: Role;
  repeat: Repeat;
  /** The method that it calls, such as `desk.answer`; null if it takes more than a call. */
  call: string | null;
  /** The parameters that are the method's arguments, in order. The others are its options, after them. */
  args: readonly string[];
  params: z.ZodObject;
  result: z.ZodType;
  rest: Rest | undefined;
}

type Row<Call extends string | null, Who, How, Shape extends z.ZodRawShape, Args, Result> = Readonly<{
  role: Who;
  repeat: How;
  call: Call;
  args: Args;
  params: z.ZodObject<Shape>;
  result: Result;
  rest: Rest | undefined;
}>;

/** A row for one role. */
const rowsFor =
  <Who extends Role>(role: Who) =>
  <
    const How extends Repeat,
    const Call extends string | null,
    Shape extends z.ZodRawShape,
    const Args extends readonly (keyof Shape & string)[],
    Result extends z.ZodType,
  >(
    repeat: How,
    call: Call,
    args: Args,
    params: z.ZodObject<Shape>,
    result: Result,
    rest?: Rest,
  ): Row<Call, Who, How, Shape, Args, Result> => ({ role, repeat, call, args, params, result, rest });

const asker = rowsFor("asker");
const desk = rowsFor("desk");

const nothing = z.null();
/** Milliseconds. */
const duration = z.number().min(0);

/** The wait of an ask or `resume`: `maxWait` in ms. */
const wait = { maxWait: duration.optional(), earlier: z.boolean().optional() };
/** Who resumes a session by its id; without it, any agent of the token. */
const claimed = { asker: askerInfoSchema.optional() };

/** The person on whose behalf a request is sent. */
export const personSchema = z
  .object({ name: z.string().trim().min(1).max(200) })
  .optional()
  .describe("The person on whose behalf this is sent; for tokens created to answer on behalf of others.");
const onBehalf = { by: personSchema };

const one = "/api/sessions/{id}";
/** Why settling a session may be rejected. */
const settling: readonly RefusalStatus[] = [404, 409];
const none = z.object({});
const byId = z.object({ id: z.string().max(100) });
const bySession = z.object({ sessionId });
const listQuery = z.object({
  statuses: z.array(statusSchema).readonly().optional(),
  project: projectSchema.optional(),
  agentId: z.string().optional(),
  clientName: z.string().optional(),
  machine: z.string().optional(),
  text: z.string().optional(),
  limit: z.int().min(1).max(1_000).optional(),
  cursor: z.string().optional(),
  order: z.enum(["newest", "oldest"]).optional(),
});
/** A hub that doesn't know `presence` sends the session instead. */
const watchFilter = z.object({
  project: projectSchema.optional(),
  agentId: z.string().optional(),
  machine: z.string().optional(),
  sessionId: z.string().optional(),
  presence: z.boolean().optional(),
});
/** `request` is parsed by the core's `parseAsk`, whose messages are part of the contract. */
const asking = z.object({
  request: z.unknown().optional(),
  asker: askerInfoSchema,
  key: z.string().max(limits.key.max).optional(),
  registeredOnly: z.boolean().optional(),
  replaces: sessionId.optional(),
  sessionId: sessionId.optional(),
  ...wait,
});
const resuming = z.object({ sessionId, reply: z.string().optional(), ...claimed, ...wait });
const page = z.object({ items: z.array(sessionViewSchema), nextCursor: z.string().optional() });
const phrasesSchema = z.object({ texts: z.array(z.string()), reasons: z.array(z.string()) });
/** Days are given by when they begin: wall time in ms since the epoch, ascending. */
const days = z.object({ days: z.array(z.number()).min(1).max(400).readonly() });

/** What a person does with a session: `POST /api/sessions/{id}/METHOD`. The fields of its first argument are the body's own. */
const settles = <const Method extends string, Shape extends z.ZodRawShape, const Args extends readonly (keyof Shape & string)[]>(
  method: Method,
  args: Args,
  fields: Shape,
  id: string,
  summary: string,
  body: string,
) => {
  const at = `POST ${one}/${method.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}` as const;
  const refusals = args.some((arg) => arg === "set" || arg === "message") ? ([...settling, 422] as const) : settling;
  const params = bySession.extend({ ...fields, ...onBehalf });
  return desk("operation", `desk.${method}`, ["sessionId", ...args], params, sessionViewSchema, {
    at,
    id,
    summary,
    body,
    inline: args[0],
    answer: "SessionView",
    refusals,
  });
};

/** All operations of a hub: the requests of the wire, most of them with a route of the REST interface. */
export const operations = Object.freeze({
  list: desk("read", "desk.list", [], listQuery, page),
  /** A message before the result reports that the questions are open; on another connection the ask continues by `sessionId`. */
  ask: asker("held", null, [], asking, handoverSchema),
  get: desk("read", "desk.get", ["sessionId"], bySession, sessionViewSchema),
  answer: settles(
    "answer",
    ["set"],
    { set: answerSetSchema, delay: duration.max(60_000).optional() },
    "answerSession",
    "Answer",
    "AnswerRequest",
  ),
  recall: settles("recall", [], {}, "recallAnswer", "Undo a delayed answer or decline", "Nothing"),
  reply: settles("reply", ["set"], { set: answerSetSchema }, "replyToSession", "Reply to a session that timed out", "ReplyRequest"),
  askBack: settles(
    "askBack",
    ["message"],
    { message: askBackSchema },
    "askBack",
    "Ask the agent something before answering",
    "AskBackRequest",
  ),
  /** `reply` answers what a person asked back; if the request is repeated, it is stored once. */
  resume: asker("held", "asker.resume", ["sessionId"], resuming, handoverSchema),
  withdraw: asker(
    "operation",
    "asker.withdraw",
    ["sessionId"],
    bySession.extend({ reason: z.string().max(1_000).optional(), ...claimed }),
    sessionRecordSchema,
  ),
  cancel: settles(
    "cancel",
    [],
    { reason: z.string().max(10_000).optional(), delay: duration.max(60_000).optional() },
    "cancelSession",
    "Decline the questions",
    "CancelRequest",
  ),
  extend: settles("extend", [], { timeout: z.number().nullable() }, "extendSession", "Move the deadline", "ExtendRequest"),
  snooze: settles("snooze", [], { until: z.number().nullable() }, "snoozeSession", "Snooze a session, or wake it", "SnoozeRequest"),
  outlook: desk("read", "desk.outlook", ["sessionId"], bySession, outlookSchema),
  /** At most once for the same outcome or message, so it may be sent again. */
  wake: desk("read", "desk.wake", ["sessionId"], bySession, sessionViewSchema),
  /** Its events use the request's id as `watch`; the first is a snapshot and comes before the reply. */
  watch: desk("held", null, [], watchFilter, nothing),
  /** Its person has the session open. */
  attend: desk("held", null, [], bySession, nothing),
  phrases: desk("read", "desk.phrases", ["project"], z.object({ project: projectSchema.optional() }), phrasesSchema),
  tally: desk("read", "desk.tally", ["days"], days, tallySchema),
  getDraft: desk("read", "desk.getDraft", ["sessionId"], bySession, draftSchema.nullable()),
  saveDraft: desk(
    "operation",
    "desk.saveDraft",
    ["sessionId", "patch"],
    bySession.extend({ patch: draftPatchSchema, ...onBehalf }),
    draftSchema,
  ),
  collect: asker(
    "read",
    "asker.collect",
    ["asker"],
    z.object({ asker: askerInfoSchema }),
    z.object({ earlier: z.array(sessionRecordSchema) }),
  ),
  /** These outcomes were delivered. `calls` have ended, for the metrics only; a hub that doesn't know them doesn't count them. */
  ack: asker(
    "read",
    null,
    [],
    z.object({ given: delivered, callId: z.string().max(200).optional(), calls: z.array(callEndSchema).max(100).optional(), ...claimed }),
    nothing,
  ),
  /** They were not delivered, and the next call may get them. */
  nack: asker("read", "asker.release", ["given"], z.object({ given: delivered }), nothing),
  /** Reports a tool call of an MCP server that ended without an `ack`, for the metrics only. */
  called: asker("once", null, [], callEndSchema, nothing),
  takesForms: asker("read", "forms.allowed", [], none, z.boolean()),
  /** An answer that a person gave in the client's own form. */
  answeredInForm: asker(
    "operation",
    "forms.answered",
    ["sessionId", "set"],
    bySession.extend({ set: answerSetSchema, ...claimed }),
    sessionRecordSchema,
  ),
  listAgents: desk("read", "agents.list", [], none, z.array(registeredAgentSchema)),
  /** Idempotent. */
  addAgent: desk("read", "agents.add", ["agent"], z.object({ agent: registeredAgentSchema }), registeredAgentSchema),
  removeAgent: desk("read", "agents.remove", ["id"], z.object({ id: z.string() }), z.boolean()),
  conversations: desk("read", "desk.conversations", [], none, z.array(conversationSchema)),
  /** By the id of an agent's conversation, or of one of its sessions. */
  message: desk("operation", "desk.message", ["id", "text"], byId.extend({ text: z.string(), ...onBehalf }), sessionViewSchema),
  /** What people have allowed in advance. */
  listGrants: desk("read", "grants.list", [], none, z.array(grantSchema)),
  /** False if there is none. */
  revokeGrant: desk("read", "grants.remove", ["id"], byId, z.boolean()),
  /** What ran without a person, newest first. */
  listRan: desk("read", "ran.list", ["query"], z.object({ query: ranQuerySchema.optional() }), ranPageSchema),
  /** The logged-in browsers, most recently used first. */
  listDevices: desk("read", "devices.list", [], none, z.array(deviceSchema)),
  /** Logs a browser out for good; false if there is none. */
  revokeDevice: desk("read", "devices.revoke", ["id"], byId, z.boolean()),
  status: desk("read", "control.status", [], none, z.record(z.string(), z.unknown())),
  stop: desk("once", "control.stop", [], none, nothing),
});

type Operations = typeof operations;
/** The name of an operation: the method of a request on the wire. */
export type OperationName = keyof Operations;
/** The parameters of an operation. */
export type Params<Name extends OperationName> = z.input<Operations[Name]["params"]>;
/** The result of an operation. */
export type Result<Name extends OperationName> = z.output<Operations[Name]["result"]>;

/** The names in {@link operations}, in the table's order. */
export const operationNames = Object.keys(operations).filter(isOperation);

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}
