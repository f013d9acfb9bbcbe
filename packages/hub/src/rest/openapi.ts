import { grantWishSchema } from "@askbox/core/grants";
import {
  answerSetSchema,
  askBackSchema,
  askInputSchema,
  askResultSchema,
  draftPatchSchema,
  draftSchema,
  grantSchema,
  registeredAgentSchema,
  sessionViewSchema,
} from "@askbox/core/schemas";
import { deskEventSchema } from "@askbox/wire";
import * as z from "zod";
import { ownFields, replyBackSchema, waitAsAskerSchema } from "./asker-routes.ts";
import { cancelSchema, delayedSetSchema, extendSchema, nothingSchema, querySchema } from "./desk-routes.ts";
import { eventsQuerySchema } from "./event-routes.ts";
import { madeTokenSchema, namedTokenSchema, tokenWishSchema } from "./token-routes.ts";

interface Operation {
  method: "get" | "post" | "patch" | "delete";
  path: string;
  summary: string;
  scopes: readonly ("asker" | "desk")[];
  query?: z.ZodObject;
  body?: z.ZodType;
  status?: 200 | 201 | 204;
  answer: z.ZodType;
  /** The answer is one event of many: server-sent events without end. */
  isStream?: true;
}

const account = z.intersection(sessionViewSchema.omit({ scheduled: true }), askResultSchema);
const one = "/api/sessions/{id}";
const agents = "/api/agents";
const grants = "/api/grants";

const operations: readonly Operation[] = [
  {
    ...{ method: "get", path: "/api/sessions", summary: "List sessions", scopes: ["desk"], query: querySchema },
    answer: z.object({ items: z.array(sessionViewSchema), nextCursor: z.string().optional() }),
  },
  {
    ...{ method: "post", path: "/api/sessions", summary: "Ask", scopes: ["asker"], status: 201, answer: account },
    body: askInputSchema.extend(ownFields.shape),
  },
  {
    ...{
      method: "get",
      path: one,
      summary: "See one session, after `wait` seconds or as soon as it is settled",
      scopes: ["asker", "desk"],
    },
    ...{ query: waitAsAskerSchema, answer: z.union([account, sessionViewSchema]) },
  },
  { method: "post", path: `${one}/answer`, summary: "Answer", scopes: ["desk"], body: delayedSetSchema, answer: sessionViewSchema },
  {
    method: "post",
    path: `${one}/recall`,
    summary: "Take a delayed answer back",
    scopes: ["desk"],
    body: nothingSchema,
    answer: sessionViewSchema,
  },
  {
    method: "post",
    path: `${one}/reply`,
    summary: "Reply to a session that timed out",
    scopes: ["desk"],
    body: answerSetSchema,
    answer: sessionViewSchema,
  },
  {
    method: "post",
    path: `${one}/ask-back`,
    summary: "Ask the agent something before answering",
    scopes: ["desk"],
    body: askBackSchema,
    answer: sessionViewSchema,
  },
  {
    ...{ method: "post", path: `${one}/reply-back`, summary: "Reply to what a person asked back, and go on waiting", scopes: ["asker"] },
    ...{ query: waitAsAskerSchema, body: replyBackSchema, answer: account },
  },
  {
    method: "post",
    path: `${one}/cancel`,
    summary: "Turn the questions down",
    scopes: ["desk"],
    body: cancelSchema,
    answer: sessionViewSchema,
  },
  { method: "post", path: `${one}/extend`, summary: "Move the deadline", scopes: ["desk"], body: extendSchema, answer: sessionViewSchema },
  {
    ...{ method: "get", path: "/api/events", summary: "Watch the inbox: a snapshot, then each change", scopes: ["desk"] },
    ...{ query: eventsQuerySchema, answer: deskEventSchema, isStream: true },
  },
  { method: "get", path: `${one}/draft`, summary: "See the draft", scopes: ["desk"], answer: draftSchema.nullable() },
  { method: "patch", path: `${one}/draft`, summary: "Change the draft", scopes: ["desk"], body: draftPatchSchema, answer: draftSchema },
  {
    method: "get",
    path: agents,
    summary: "List the agents known by id",
    scopes: ["desk"],
    answer: z.object({ items: z.array(registeredAgentSchema) }),
  },
  {
    ...{ method: "post", path: agents, summary: "Register an agent, or replace what is known of it", scopes: ["desk"], status: 201 },
    ...{ body: registeredAgentSchema, answer: registeredAgentSchema },
  },
  { method: "delete", path: `${agents}/{id}`, summary: "Forget an agent", scopes: ["desk"], status: 204, answer: z.null() },
  {
    ...{ method: "get", path: grants, summary: "List what people have allowed beforehand", scopes: ["desk"] },
    answer: z.object({ items: z.array(grantSchema) }),
  },
  {
    ...{ method: "post", path: grants, summary: "Allow plain commands by their first words", scopes: ["desk"], status: 201 },
    ...{ body: grantWishSchema, answer: grantSchema },
  },
  { method: "delete", path: `${grants}/{id}`, summary: "Revoke a grant", scopes: ["desk"], status: 204, answer: z.null() },
  {
    ...{ method: "get", path: "/api/tokens", summary: "List the tokens that have a name, without the tokens themselves", scopes: ["desk"] },
    answer: z.object({ items: z.array(namedTokenSchema) }),
  },
  {
    ...{ method: "post", path: "/api/tokens", summary: "Make a token, which is shown this once", scopes: ["desk"] },
    ...{ body: tokenWishSchema, status: 201, answer: madeTokenSchema },
  },
  {
    ...{ method: "delete", path: "/api/tokens/{id}", summary: "Revoke a token, by id or name", scopes: ["desk"] },
    answer: namedTokenSchema,
  },
];

const problem = {
  type: "object",
  description: "RFC 9457. A session that is closed already answers 409 with the outcome that stands.",
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "One sentence that says what to do" },
    code: { type: "string" },
  },
  required: ["type", "title", "status", "detail"],
};

/** The REST interface as an OpenAPI 3.1 document, made of the schemas that the routes themselves check with. */
export function openApi(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) paths[operation.path] = { ...paths[operation.path], [operation.method]: described(operation) };
  return {
    openapi: "3.1.0",
    info: { title: "askbox", version },
    paths,
    components: {
      schemas: { Problem: problem },
      securitySchemes: {
        asker: { type: "http", scheme: "bearer", description: "askerToken in hub.json, or a named token: asks, and sees its own sessions" },
        desk: { type: "http", scheme: "bearer", description: "deskToken in desk.json, or a named token: sees and settles all sessions" },
      },
    },
  };
}

function described({ path, summary, scopes, query, body, status = 200, answer, isStream }: Operation): Record<string, unknown> {
  const inPath = path.includes("{id}") ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }] : [];
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    ...{ name, in: "query", required: false, schema: jsonSchema(schema as z.ZodType, "output") },
    // Several values stand in one parameter, with commas between.
    ...{ style: "form", explode: false },
  }));
  return {
    summary,
    security: scopes.map((scope) => ({ [scope]: [] })),
    parameters: [...inPath, ...inQuery],
    ...(body !== undefined && { requestBody: { required: true, content: json(jsonSchema(body, "input")) } }),
    responses: {
      [status]: {
        description: isStream ? "Server-sent events, each with this as its data and its type as its name" : "Done",
        ...(status !== 204 && {
          content: { [isStream ? "text/event-stream" : "application/json"]: { schema: jsonSchema(answer, "output") } },
        }),
      },
      default: { description: "Refused", content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } } },
    },
  };
}

const json = (schema: unknown) => ({ "application/json": { schema } });

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
