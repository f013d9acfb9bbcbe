import {
  askInputSchema,
  askResultSchema,
  conversationSchema,
  projectSchema,
  registeredAgentSchema,
  sessionViewSchema,
  statusSchema,
} from "@askbox/core/schemas";
import { deskEventSchema, type Operation, type OperationName, operationNames, operations, type Rest, type Role } from "@askbox/wire";
import { routes } from "@askbox/wire/rest";
import * as z from "zod";
import { ownFields, replyBackSchema, waitAsAskerSchema } from "./asking.ts";
import { eventsQuerySchema, type OwnOperation, ownOperations } from "./own-operations.ts";

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

export const listQuerySchema = z.object({
  status: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(statusSchema))
    .optional(),
  q: z.string().optional(),
  project: projectSchema.optional(),
  agentId: z.string().optional(),
  limit: z.coerce.number("must be a whole number").pipe(z.int().min(1).max(1_000)).optional(),
  cursor: z.string().optional(),
  order: z.enum(["newest", "oldest"]).optional(),
});

const account = z.intersection(sessionViewSchema.omit({ scheduled: true, snoozedUntil: true }), askResultSchema);

/** Where REST differs from the wire in more than the place of the parameters. */
const different: Partial<Record<OperationName, Partial<Pick<RestOperation, "query" | "takes" | "gives">>>> = {
  list: { query: listQuerySchema },
  ask: { takes: askInputSchema.extend(ownFields.shape), gives: account },
  get: { query: waitAsAskerSchema, gives: z.union([account, sessionViewSchema]) },
  resume: { query: waitAsAskerSchema, takes: replyBackSchema, gives: account },
  watch: { query: eventsQuerySchema, gives: deskEventSchema },
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
