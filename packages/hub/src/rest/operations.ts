// The table of the REST interface: the operations of the wire with their routes, and those that only REST has. Routes, OpenAPI and the
// documentation come from it.

import { grantWishSchema } from "@askbox/core/grants";
import {
  answerSchema,
  askInputSchema,
  askResultSchema,
  conversationSchema,
  grantSchema,
  projectSchema,
  ranPageSchema,
  ranQuerySchema,
  registeredAgentSchema,
  sessionViewSchema,
  statusSchema,
} from "@askbox/core/schemas";
import { deskEventSchema, type Operation, type OperationName, operationNames, operations, type Rest, type Role } from "@askbox/wire";
import { routes } from "@askbox/wire/rest";
import * as z from "zod";
import { ownFields, replyBackSchema, waitAsAskerSchema } from "./asking.ts";

/** An operation with a route and no request on the wire. */
interface OwnOperation extends Rest {
  query?: z.ZodObject;
  takes?: z.ZodType;
  gives: z.ZodType;
}

const tenYears = 315_360_000_000;

/** Characters that need no quoting in a shell, a URL or a list; never `.` or `..`, which URLs normalize away. */
export const nameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.@-]{0,59}$/, "1 to 60 letters, digits, dots, dashes, underlines or @, the first a letter or digit");

export const tokenNameSchema = z.object({ name: nameSchema });
export const tokenRequestSchema = z.object({
  name: nameSchema,
  scope: z.enum(["asker", "desk", "metrics"]),
  expiresIn: z.number().min(60_000).max(tenYears).optional().describe("Milliseconds from now; if omitted, the token does not expire."),
  agentId: z.string().min(1).max(200).optional().describe("The agent id of every ask with the token; for the scope asker."),
  shared: z.boolean().optional().describe("All agents with this token may resume each other's sessions by id; for the scope asker."),
  onBehalf: z.boolean().optional().describe("Its requests may name the person who gave the answer, as `by.name`; for the scope desk."),
});
const namedTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(["asker", "desk", "metrics"]),
  agentId: z.string().optional(),
  machine: z.literal(true).optional().describe("It is a machine's, which joined by a code: what is asked with it says so."),
  shared: z.literal(true).optional(),
  onBehalf: z.literal(true).optional(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  lastUsedAt: z.number().nullable().describe("Rounded down to 10 minutes; of a machine, to a minute."),
  expired: z.boolean(),
});

/** `as`: the events are those of another contract. */
export const eventsQuerySchema = z.object({
  project: projectSchema.optional(),
  agentId: z.string().optional(),
  machine: z.string().optional(),
  as: z.enum(["ask_user"]).optional(),
});
export const sentEventQuerySchema = eventsQuerySchema.pick({ as: true }).required();
/** What a UI of the `ask_user` design sends. */
export const askUserEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("cn_ask_user.answered"), requestId: z.string(), answers: z.array(answerSchema) }),
  z.object({ type: z.literal("cn_ask_user.cancelled"), requestId: z.string() }),
]);

export const auditQuerySchema = z.object({
  after: z.coerce.number("must be a whole number").pipe(z.int().min(0)).default(0).describe("`next` of the page before."),
});
const auditPageSchema = z.object({
  items: z.array(z.string()).describe("Entries, oldest first, each as the line of JSON that its hash covers."),
  next: z.number().optional().describe("Where the next page begins; absent if nothing has been recorded since."),
});

/** What only the REST interface has: tokens and grants, the record of approvals, and the events of another design. All are a desk's. */
const ownOperations = {
  sendAskUserEvent: {
    at: "POST /api/events",
    id: "sendAskUserEvent",
    summary: "Settle a request by an event of the ask_user design",
    query: sentEventQuerySchema,
    body: "AskUserEvent",
    takes: askUserEventSchema,
    answer: "SessionView",
    gives: sessionViewSchema,
    refusals: [404, 409],
  },
  createGrant: {
    at: "POST /api/grants",
    id: "createGrant",
    summary: "Allow simple commands by their first words",
    body: "GrantRequest",
    takes: grantWishSchema,
    status: 201,
    answer: "Grant",
    gives: grantSchema,
  },
  listDecisions: {
    at: "GET /api/audit",
    id: "listDecisions",
    summary: "Read the record of approvals, which is a hash chain",
    query: auditQuerySchema,
    answer: "AuditPage",
    gives: auditPageSchema,
    refusals: [400],
  },
  listTokens: {
    at: "GET /api/tokens",
    id: "listTokens",
    summary: "List named tokens, without the tokens themselves",
    answer: "TokenList",
    gives: z.object({ items: z.array(namedTokenSchema) }),
  },
  createToken: {
    at: "POST /api/tokens",
    id: "createToken",
    summary: "Create a token, which is shown only once",
    body: "TokenRequest",
    takes: tokenRequestSchema,
    status: 201,
    answer: "NewToken",
    gives: namedTokenSchema.extend({ token: z.string().describe("Shown this once.") }),
    refusals: [409],
  },
  renameToken: {
    at: "PATCH /api/tokens/{id}",
    id: "renameToken",
    summary: "Give a token another name, by id or name",
    body: "TokenName",
    takes: tokenNameSchema,
    answer: "NamedToken",
    gives: namedTokenSchema,
    refusals: [404, 409],
  },
  revokeToken: {
    at: "DELETE /api/tokens/{id}",
    id: "revokeToken",
    summary: "Revoke a token, by id or name",
    answer: "NamedToken",
    gives: namedTokenSchema,
    refusals: [404],
  },
} as const satisfies Record<string, OwnOperation>;

/** The operations with a handler of their own: those with more than a call of a port, and those that the wire doesn't have. */
export type RestName = (typeof withHandler)[number] | keyof typeof ownOperations;
const withHandler = ["ask", "get", "resume", "watch", "listAgents"] as const;
export const isOwn = (name: OperationName | RestName): name is RestName =>
  Object.hasOwn(ownOperations, name) || withHandler.some((own) => own === name);

/** An operation of the REST interface. */
export interface RestOperation extends Rest {
  name: OperationName | RestName;
  method: string;
  path: string;
  scopes: readonly Role[];
  query: z.ZodObject | undefined;
  /** Checks the body. */
  takes: z.ZodType | undefined;
  /** Describes the response. */
  gives: z.ZodType | undefined;
}

const pageSize = z.coerce.number("must be a whole number").pipe(z.int().min(1).max(1_000)).optional();
export const listQuerySchema = z.object({
  status: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(statusSchema))
    .optional(),
  q: z.string().optional(),
  project: projectSchema.optional(),
  agentId: z.string().optional(),
  machine: z.string().optional(),
  limit: pageSize,
  cursor: z.string().optional(),
  order: z.enum(["newest", "oldest"]).optional(),
});

export const ranRestSchema = ranQuerySchema.omit({ text: true }).extend({ q: ranQuerySchema.shape.text, limit: pageSize });

const account = z.intersection(sessionViewSchema.omit({ scheduled: true, snoozedUntil: true, waking: true }), askResultSchema);

/** Where REST differs from the wire in more than the place of the parameters. */
const different: Partial<Record<OperationName, Partial<Pick<RestOperation, "query" | "takes" | "gives">>>> = {
  list: { query: listQuerySchema },
  ask: { takes: askInputSchema.extend(ownFields.shape), gives: account },
  get: { query: waitAsAskerSchema, gives: z.union([account, sessionViewSchema]) },
  resume: { query: waitAsAskerSchema, takes: replyBackSchema, gives: account },
  watch: { query: eventsQuerySchema, gives: deskEventSchema },
  listRan: { query: ranRestSchema, gives: ranPageSchema },
  listAgents: { gives: z.object({ items: z.array(registeredAgentSchema), conversations: z.array(conversationSchema) }) },
};

/** An operation with its route. */
export const operationOf = (name: OperationName): Operation => ({ ...operations[name], rest: operations[name].rest ?? routes[name] });

/** The name of the parameter that is in the path, if there is one. */
export const pathParam = ({ args, rest }: Operation): string | undefined => (rest?.at.includes("{id}") ? args[0] : undefined);

/** The parameters that are fields of the body. */
export const ownParams = (operation: Operation): [string, z.core.$ZodType][] => {
  const elsewhere = [pathParam(operation), operation.rest?.inline, operation.rest?.without];
  return Object.entries(operation.params.shape).filter(([key]) => !elsewhere.includes(key));
};

function bodyOf(operation: Operation): z.ZodType | undefined {
  const { rest, params } = operation;
  if (rest?.body === undefined) return undefined;
  const own = ownParams(operation);
  const inner = rest.inline === undefined ? undefined : params.shape[rest.inline];
  if (!(inner instanceof z.ZodObject)) return z.object(Object.fromEntries(own));
  return own.length === 0 ? inner : inner.extend(Object.fromEntries(own));
}

function givenBy({ rest, result }: Operation): z.ZodType | undefined {
  if (rest?.answer === undefined) return undefined;
  return result instanceof z.ZodArray ? z.object({ items: result }) : result;
}

const placeOf = (at: Rest["at"]) => {
  const [method = "", path = ""] = at.split(" ");
  return { method, path };
};

/** All operations of the REST interface. */
export const restOperations: readonly RestOperation[] = [
  ...operationNames.flatMap((name): RestOperation[] => {
    const operation = operationOf(name);
    const { rest, role } = operation;
    if (rest === undefined) return [];
    const schemas = { query: undefined, takes: bodyOf(operation), gives: givenBy(operation), ...different[name] };
    return [{ scopes: [role], ...rest, ...placeOf(rest.at), name, ...schemas }];
  }),
  ...Object.entries<OwnOperation>(ownOperations).map(([name, own]): RestOperation => {
    return { query: undefined, takes: undefined, ...own, ...placeOf(own.at), scopes: ["desk"], name: name as keyof typeof ownOperations };
  }),
];
