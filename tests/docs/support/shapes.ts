import {
  actorSchema,
  answererSchema,
  answerSchema,
  answerSetSchema,
  askerInfoSchema,
  askInputSchema,
  askResultSchema,
  draftPatchSchema,
  draftSchema,
  outcomeSchema,
  questionInputSchema,
  questionSchema,
  registeredAgentSchema,
  sessionRecordSchema,
  sessionViewSchema,
} from "@askbox/core/schemas";
import { deskEventSchema } from "@askbox/wire";
import * as z from "zod";
import { type JsonSchema, propertyTexts, rangeText, type ShapeNames, schemaKey, typeText } from "./type-text.ts";

interface Shape {
  name: string;
  says: string;
  schema: JsonSchema;
}

const inputSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
const outputSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "output" }) as JsonSchema;

/** The shapes of `docs/shapes.md`, in order. */
export const shapes: readonly Shape[] = [
  {
    name: "AskInput",
    says: "The input of `ask_user`, `POST /api/sessions` and `askbox ask --file`.",
    schema: inputSchema(askInputSchema),
  },
  {
    name: "QuestionInput",
    says: "One question, as input. [Question types](question-types.md) explains each field.",
    schema: inputSchema(questionInputSchema),
  },
  { name: "Question", says: "One question as it is stored and shown: complete, with an id.", schema: outputSchema(questionSchema) },
  {
    name: "Answer",
    says: "The answer to one question. An optional question that was skipped has no values.",
    schema: outputSchema(answerSchema),
  },
  { name: "AnswerSet", says: "The answers to the questions of a session.", schema: outputSchema(answerSetSchema) },
  {
    name: "AskResult",
    says: "What the asker gets: the result of `ask_user`, `get_answer` and `askbox ask --json`.",
    schema: outputSchema(askResultSchema),
  },
  {
    name: "AskerInfo",
    says: "Who asks. All fields are claims of the asker, except for an agent id that is bound to its token.",
    schema: outputSchema(askerInfoSchema),
  },
  { name: "Answerer", says: "Who answers, and on which surface.", schema: outputSchema(answererSchema) },
  {
    name: "Actor",
    says: "Who or what ended a session: a surface, the asker by withdrawing it, or the deadline.",
    schema: outputSchema(actorSchema),
  },
  {
    name: "Outcome",
    says: "How a session ended, and by whom. `at` is wall time in milliseconds since the epoch.",
    schema: outputSchema(outcomeSchema),
  },
  {
    name: "SessionView",
    says: "A session as people and scripts see it: what `askbox show --json` prints. Times are wall time in milliseconds since the epoch.",
    schema: outputSchema(sessionViewSchema),
  },
  {
    name: "SessionRecord",
    says: "A session as it is stored, and as an asker gets it over the wire.",
    schema: outputSchema(sessionRecordSchema),
  },
  {
    name: "Draft",
    says: "A partial answer. `fields` are keyed by question id; `scheduled` is an answer or a decline that can still be undone.",
    schema: outputSchema(draftSchema),
  },
  { name: "DraftPatch", says: "A change to a draft: null removes a field.", schema: inputSchema(draftPatchSchema) },
  {
    name: "DeskEvent",
    says: "An event for someone who watches the inbox. A snapshot replaces everything before it.",
    schema: outputSchema(deskEventSchema),
  },
  { name: "RegisteredAgent", says: "An agent that is registered by id.", schema: outputSchema(registeredAgentSchema) },
];

/** Their names. If two are equal, such as input and output, the first one's name is used. */
export const shapeNames: ShapeNames = new Map([...shapes].reverse().map((shape) => [schemaKey(shape.schema), shape] as const));

/** The page's part: a section per shape, with a TypeScript declaration. */
export function shapesText(): string {
  return shapes
    .map(({ name, says, schema }) => `## ${name}\n\n${says}\n\n<!-- sample: continues -->\n\`\`\`ts\n${declaration(name, schema)}\n\`\`\``)
    .join("\n\n");
}

function declaration(name: string, schema: JsonSchema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices === undefined) return `interface ${name} ${block(schema, name)}`;
  const shared = sharedBy(choices);
  if (Object.keys(shared.properties).length === 0) return `type ${name} =\n${alternatives(choices, name, "  ")};`;
  const rest = choices.map((choice) => without(choice, Object.keys(shared.properties)));
  return `type ${name} = ${block(shared, name)} & (\n${alternatives(rest, name, "  ")}\n);`;
}

const alternatives = (choices: readonly JsonSchema[], self: string, indent: string) =>
  choices.map((choice) => `${indent}| ${typeText(choice, shapeNames, self)}`).join("\n");

/** What all choices have in common. */
function sharedBy(choices: readonly JsonSchema[]): { properties: Record<string, JsonSchema>; required: string[] } {
  const [first = {}, ...others] = choices;
  const isShared = ([property, schema]: [string, JsonSchema]) =>
    others.every(
      (other) =>
        schemaKey(other.properties?.[property]) === schemaKey(schema) &&
        other.required?.includes(property) === first.required?.includes(property),
    );
  const properties = Object.fromEntries(Object.entries(first.properties ?? {}).filter(isShared));
  return { properties, required: (first.required ?? []).filter((property) => property in properties) };
}

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name)));
  return { ...schema, properties, required: (schema.required ?? []).filter((name) => !names.includes(name)) };
}

/** An object's members, one per line, with their requirements. */
function block(schema: JsonSchema, self: string): string {
  const names = Object.values(schema.properties ?? {});
  const lines = propertyTexts(schema, shapeNames, self).map((text, index) => {
    const property = names[index] ?? {};
    const notes = [
      property.description,
      rangeText(property),
      property.default === undefined ? "" : `default ${JSON.stringify(property.default)}`,
    ];
    const note = notes.filter((each) => each !== undefined && each !== "").join("; ");
    return `  ${text};${note === "" ? "" : ` // ${note}`}`;
  });
  return `{\n${lines.join("\n")}\n}`;
}

/** A type's text as Markdown, in which each shape links to its section. */
export function linkedType(schema: JsonSchema): string {
  return linked(typeText(schema, shapeNames));
}

/** A type's text as Markdown, in which each shape links to its section. */
export function linked(text: string): string {
  const names = shapes.map(({ name }) => name).sort((one, other) => other.length - one.length);
  const pieces = text.split(new RegExp(`\\b(${names.join("|")})\\b`));
  return pieces
    .map((piece, index) =>
      index % 2 === 1 ? `[\`${piece}\`](shapes.md#${piece.toLowerCase()})` : piece.trim() === "" ? piece : code(piece),
    )
    .join("")
    .trim();
}

/** As code, keeping leading and trailing white space outside of it. */
const code = (text: string) =>
  text.replace(/^(\s*)([\s\S]*?)(\s*)$/, (_, before: string, inner: string, after: string) => `${before}\`${inner}\`${after}`);
