import {
  actorSchema,
  answererSchema,
  answerSchema,
  askerInfoSchema,
  askResultSchema,
  conversationSchema,
  outcomeSchema,
  outlookSchema,
  questionInputSchema,
  questionSchema,
} from "@askbox/core/schemas";
import * as z from "zod";
import { restOperations } from "./operations.ts";

/** What is only part of a body, or of a response. */
const takenParts = { QuestionInput: questionInputSchema, AnswerInput: answerSchema };
const givenParts = {
  Question: questionSchema,
  Answer: answerSchema,
  Outcome: outcomeSchema,
  Actor: actorSchema,
  Answerer: answererSchema,
  AskerInfo: askerInfoSchema,
  AskResult: askResultSchema,
  Conversation: conversationSchema,
  Outlook: outlookSchema,
};

/** Each schema once, under the name that generators use for its type, as JSON Schema that references the others by name. */
export function namedSchemas(): Record<string, object> {
  const taken = new Map<string, z.ZodType>(Object.entries(takenParts));
  const outputs = new Map<string, z.ZodType>(Object.entries(givenParts));
  for (const { body, takes, answer, gives } of restOperations) {
    if (body !== undefined && takes !== undefined) taken.set(body, takes);
    if (answer !== undefined && gives !== undefined) outputs.set(answer, gives);
  }
  return { ...described(taken, "input"), ...described(outputs, "output") };
}

export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function described(schemas: ReadonlyMap<string, z.ZodType>, io: "input" | "output"): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of schemas) registry.add(schema, { id });
  const document = z.toJSONSchema(registry, { io, uri: (id) => refTo(id).$ref, override: ({ jsonSchema }) => open(jsonSchema, io) });
  return Object.fromEntries(Object.entries(document.schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]));
}

/** A newer hub may send more than a client knows. */
function open(schema: { additionalProperties?: unknown }, io: "input" | "output"): void {
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}
