import { grantWishSchema } from "@askbox/core/grants";
import {
  actorSchema,
  answererSchema,
  answerSchema,
  askerInfoSchema,
  askInputSchema,
  askResultSchema,
  draftPatchSchema,
  draftSchema,
  grantSchema,
  outcomeSchema,
  questionInputSchema,
  questionSchema,
  registeredAgentSchema,
  sessionViewSchema,
} from "@askbox/core/schemas";
import { deskEventSchema } from "@askbox/wire";
import * as z from "zod";
import { ownFields, replyBackSchema } from "./asker-routes.ts";
import { auditPageSchema } from "./audit-routes.ts";
import { askBackRequestSchema, cancelSchema, delayedSetSchema, extendSchema, nothingSchema, replySchema } from "./desk-routes.ts";
import { askUserEventSchema } from "./event-routes.ts";
import { madeTokenSchema, namedTokenSchema, tokenWishSchema } from "./token-routes.ts";

/** The schemas by name only: their types are not needed, and declarations would spell them out. */
const byName = <Name extends string>(schemas: Readonly<Record<Name, z.ZodType>>): Readonly<Record<Name, z.ZodType>> => schemas;

const account = z.intersection(sessionViewSchema.omit({ scheduled: true }), askResultSchema);

/** What clients send, under the names that generators use for the types. */
const given = byName({
  AskRequest: askInputSchema.extend(ownFields.shape),
  QuestionInput: questionInputSchema,
  AnswerRequest: delayedSetSchema,
  ReplyRequest: replySchema,
  AnswerInput: answerSchema,
  AskBackRequest: askBackRequestSchema,
  ReplyBackRequest: replyBackSchema,
  CancelRequest: cancelSchema,
  ExtendRequest: extendSchema,
  Nothing: nothingSchema,
  DraftPatch: draftPatchSchema,
  AskUserEvent: askUserEventSchema,
  AgentRequest: registeredAgentSchema,
  GrantRequest: grantWishSchema,
  TokenRequest: tokenWishSchema,
});

/** What clients receive. */
const sent = byName({
  SessionView: sessionViewSchema,
  Question: questionSchema,
  Answer: answerSchema,
  Outcome: outcomeSchema,
  Actor: actorSchema,
  Answerer: answererSchema,
  AskerInfo: askerInfoSchema,
  AskResult: askResultSchema,
  Account: account,
  SessionOrAccount: z.union([account, sessionViewSchema]),
  SessionList: z.object({ items: z.array(sessionViewSchema), nextCursor: z.string().optional() }),
  DeskEvent: deskEventSchema,
  Draft: draftSchema,
  DraftOrNull: draftSchema.nullable(),
  RegisteredAgent: registeredAgentSchema,
  AgentList: z.object({ items: z.array(registeredAgentSchema) }),
  Grant: grantSchema,
  GrantList: z.object({ items: z.array(grantSchema) }),
  AuditPage: auditPageSchema,
  NamedToken: namedTokenSchema,
  TokenList: z.object({ items: z.array(namedTokenSchema) }),
  NewToken: madeTokenSchema,
});

export type SchemaName = keyof typeof given | keyof typeof sent;

/** Each schema once, as JSON Schema that references the others by name. */
export const namedSchemas = (): Record<string, object> => ({ ...described(given, "input"), ...described(sent, "output") });

export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function described(schemas: Readonly<Record<string, z.ZodType>>, io: "input" | "output"): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const document = z.toJSONSchema(registry, { io, uri: (id) => refTo(id).$ref, override: ({ jsonSchema }) => open(jsonSchema, io) });
  return Object.fromEntries(Object.entries(document.schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]));
}

/** A newer hub may send more than a client knows. */
function open(schema: { additionalProperties?: unknown }, io: "input" | "output"): void {
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}
