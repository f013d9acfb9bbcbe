import * as z from "zod";
import { namedSchemas, refTo } from "./named-schemas.ts";
import { type Operation, operations, type RefusalStatus } from "./operations.ts";

/** When a request is refused with a status, in the names that generators use. */
const refusals: Record<RefusalStatus, { name: string; when: string }> = {
  400: { name: "BadRequest", when: "The request cannot be understood." },
  401: { name: "Unauthorized", when: "There is no token, or one that is not known." },
  403: { name: "Forbidden", when: "The token is of another scope, or it is another token's session." },
  404: { name: "NotFound", when: "There is no such thing." },
  409: { name: "Conflict", when: "It is settled already, or somebody was first; `session` has the outcome that stands." },
  413: { name: "TooLarge", when: "The body is too large." },
  422: { name: "Unprocessable", when: "The answer does not fit its question; `issues` says where." },
  429: { name: "TooManyRequests", when: "Too often, or too much is pending; `Retry-After` says for how many seconds to wait." },
};

const tags: Record<Operation["tag"], string> = {
  Sessions: "Questions, and how they were settled",
  Drafts: "What somebody has begun to answer",
  Agents: "Agents that are known by id",
  Grants: "What agents may do without asking",
  Audit: "Who decided which approval",
  Tokens: "Tokens that have a name",
};

const problem = {
  type: "object",
  description: "RFC 9457. A session that is closed already answers 409 with the outcome that stands.",
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "One sentence that says what to do" },
    code: { type: "string" },
    session: { ...refTo("SessionView"), description: "With 409: the session with the outcome that stands" },
    issues: {
      type: "array",
      description: "With 400 and 422: what is wrong, by `field` of the request or by question",
      items: {
        type: "object",
        properties: { field: { type: "string" }, questionId: { type: "string" }, code: { type: "string" }, message: { type: "string" } },
        required: ["message"],
      },
    },
    retryAfter: { type: "number", description: "Seconds, as in the header Retry-After" },
  },
  required: ["type", "title", "status", "detail"],
};

/** The REST interface as an OpenAPI 3.1 document, made of the schemas that the routes themselves check with. */
export function openApi(version: string, basePath: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) paths[operation.path] = { ...paths[operation.path], [operation.method]: described(operation) };
  return {
    openapi: "3.1.0",
    info: { title: "askbox", version, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: basePath || "/" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...namedSchemas(), Problem: problem },
      responses: Object.fromEntries(Object.values(refusals).map(({ name, when }) => [name, refused(when)])),
      securitySchemes: {
        asker: { type: "http", scheme: "bearer", description: "askerToken in hub.json, or a named token: asks, and sees its own sessions" },
        desk: { type: "http", scheme: "bearer", description: "deskToken in desk.json, or a named token: sees and settles all sessions" },
      },
    },
  };
}

function described(operation: Operation): Record<string, unknown> {
  const { id, tag, path, summary, scopes, query, body, status = 200, answer, isStream } = operation;
  const inPath = path.includes("{id}") ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }] : [];
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    ...{ name, in: "query", required: false, schema: queryField(schema as z.ZodType) },
    // Several values stand in one parameter, with commas between.
    ...{ style: "form", explode: false },
  }));
  return {
    operationId: id,
    tags: [tag],
    summary,
    security: scopes.map((scope) => ({ [scope]: [] })),
    parameters: [...inPath, ...inQuery],
    ...(body !== undefined && { requestBody: { required: true, content: { "application/json": { schema: refTo(body) } } } }),
    responses: {
      [status]: {
        description: isStream ? "Server-sent events, each with this as its data and its type as its name" : "Done",
        ...(answer !== undefined && { content: { [isStream ? "text/event-stream" : "application/json"]: { schema: refTo(answer) } } }),
      },
      ...Object.fromEntries(
        statusesOf(operation).map((refusal) => [refusal, { $ref: `#/components/responses/${refusals[refusal].name}` }]),
      ),
      default: refused("The hub failed, is closing, or has no store."),
    },
  };
}

/** In order. */
function statusesOf({ body, refusals: own = [] }: Operation): RefusalStatus[] {
  const all: RefusalStatus[] = [401, 403, 429, ...(body === undefined ? [] : ([400, 413] as const)), ...own];
  return [...new Set(all)].sort((one, other) => one - other);
}

const refused = (description: string) => ({ description, content: { "application/problem+json": { schema: refTo("Problem") } } });

function queryField(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "output" });
  return rest;
}
