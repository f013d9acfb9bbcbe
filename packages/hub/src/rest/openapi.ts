import type { RefusalStatus } from "@askbox/wire";
import * as z from "zod";
import { type RestOperation, restOperations } from "./operations.ts";
import { namedSchemas, refTo } from "./schema-names.ts";

/** The error responses by status, under the names that generators use. */
const refusals: Record<RefusalStatus, { name: string; when: string }> = {
  400: { name: "BadRequest", when: "The request cannot be understood." },
  401: { name: "Unauthorized", when: "The token is missing or unknown." },
  403: { name: "Forbidden", when: "The token has another scope, or the session belongs to another token." },
  404: { name: "NotFound", when: "Not found." },
  409: { name: "Conflict", when: "It is already settled; `session` has the outcome." },
  413: { name: "TooLarge", when: "The body is too large." },
  422: { name: "Unprocessable", when: "The answer does not fit its question; `issues` says where." },
  429: { name: "TooManyRequests", when: "Too many requests or pending questions; `Retry-After` has the seconds to wait." },
};

const tags = {
  Sessions: "Questions, and how they were settled",
  Drafts: "Answers in progress",
  Agents: "Registered agents",
  Grants: "What agents may do without asking",
  Audit: "Who decided which approval",
  Tokens: "Named tokens",
};

const problem = {
  type: "object",
  description: "RFC 9457. Requests to a settled session get 409 with its outcome.",
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "One sentence on what to do" },
    code: { type: "string" },
    session: { ...refTo("SessionView"), description: "With 409: the session with its outcome" },
    issues: {
      type: "array",
      description: "With 400 and 422: what is wrong, by `field` of the request or by question",
      items: {
        type: "object",
        properties: { field: { type: "string" }, questionId: { type: "string" }, code: { type: "string" }, message: { type: "string" } },
        required: ["message"],
      },
    },
    retryAfter: { type: "number", description: "Seconds, as in the Retry-After header" },
  },
  required: ["type", "title", "status", "detail"],
};

/** The REST interface as an OpenAPI 3.1 document, generated from the schemas that the routes validate with. */
export function openApi(version: string, basePath: string): Record<string, unknown> {
  // keys: the paths of our own operations.
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of restOperations)
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described(operation) };
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
        asker: { type: "http", scheme: "bearer", description: "A token with the scope asker: asks, and sees its own sessions" },
        desk: { type: "http", scheme: "bearer", description: "A token with the scope desk: sees and settles all sessions" },
      },
    },
  };
}

function described(operation: RestOperation): Record<string, unknown> {
  const { id, path, summary, scopes, query, body, status = 200, answer, isStream } = operation;
  const inPath = path.includes("{id}") ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }] : [];
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: queryField(schema as z.ZodType),
    // Several values are one parameter, separated by commas.
    style: "form",
    explode: false,
  }));
  return {
    operationId: id,
    tags: [tagOf(path)],
    summary,
    security: scopes.map((scope) => ({ [scope]: [] })),
    parameters: [...inPath, ...inQuery],
    ...(body !== undefined && { requestBody: { required: true, content: { "application/json": { schema: refTo(body) } } } }),
    responses: {
      [status]: {
        description: isStream ? "Server-sent events with this data, named after its type" : "Done",
        ...(answer !== undefined && { content: { [isStream ? "text/event-stream" : "application/json"]: { schema: refTo(answer) } } }),
      },
      ...Object.fromEntries(
        statusesOf(operation).map((refusal) => [refusal, { $ref: `#/components/responses/${refusals[refusal].name}` }]),
      ),
      default: refused("The hub failed, is closing, or has no store."),
    },
  };
}

function tagOf(path: string): string {
  if (path.endsWith("/draft")) return "Drafts";
  return Object.keys(tags).find((tag) => path.split("/")[2] === tag.toLowerCase()) ?? "Sessions";
}

/** In order. */
function statusesOf({ body, refusals: own = [] }: RestOperation): RefusalStatus[] {
  const all: RefusalStatus[] = [401, 403, 429, ...(body === undefined ? [] : ([400, 413] as const)), ...own];
  return [...new Set(all)].sort((one, other) => one - other);
}

const refused = (description: string) => ({ description, content: { "application/problem+json": { schema: refTo("Problem") } } });

function queryField(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "output" });
  return rest;
}
