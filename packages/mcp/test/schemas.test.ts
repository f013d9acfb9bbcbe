import { limits } from "@askbox/core";
import { askInputSchema, askResultSchema } from "@askbox/core/schemas";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { outputSchema } from "../src/dialects/ask-user/output-schema.ts";
import { dialectNames, dialectOf } from "../src/dialects/index.ts";
import { getAnswerFor } from "../src/get-answer.ts";

/** A schema without descriptions and without a closed set of keys: unknown arguments are stripped, not rejected. */
function essence(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(essence);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => {
    const isKeyword = typeof value !== "object" || key === "additionalProperties";
    return !(isKeyword && ["description", "title", "$schema", "additionalProperties"].includes(key));
  });
  return Object.fromEntries(kept.map(([key, value]) => [key, essence(value)]));
}

interface Schema {
  properties: Record<string, unknown>;
  required: string[];
}

const contractTypes: readonly unknown[] = ["text", "select", "multi-select", "confirm"];
const typeOf = ({ properties }: Schema): unknown => (properties["type"] as { const: unknown }).const;

describe("the published schemas", () => {
  test("the output schema is the core's result", () => {
    expect(essence(outputSchema)).toEqual(essence(z.toJSONSchema(askResultSchema)));
  });

  test("the core accepts what the input schema allows", () => {
    const { inputSchema } = dialectOf("ask_user").definition({ defaultTimeout: limits.timeout.default });
    const { definitions, ...whole } = essence(inputSchema) as Schema & { definitions: { QuestionInfo: Schema } };
    // The session that the questions replace is not part of them.
    const { replaces, ...properties } = whole.properties;
    expect(replaces).toEqual({ type: "string" });
    const published = { ...whole, properties };
    const taken = essence(z.toJSONSchema(askInputSchema, { io: "input" })) as Schema;
    const questions = taken.properties["questions"] as { items: { oneOf: Schema[] } };
    // The default depends on the server's settings, so the core's schema leaves it to `parseAsk`.
    expect(published).toEqual({
      ...taken,
      properties: {
        ...taken.properties,
        questions: { ...questions, items: { $ref: "#/definitions/QuestionInfo" } },
        timeout: { ...(taken.properties["timeout"] as object), default: limits.timeout.default },
      },
    });
    const { type, ...fields } = definitions.QuestionInfo.properties;
    const contract = questions.items.oneOf.filter((taken) => contractTypes.includes(typeOf(taken)));
    expect(type).toEqual({ type: "string", enum: contract.map(typeOf) });
    for (const [name, schema] of Object.entries(fields)) {
      const takers = contract.filter(({ properties }) => name in properties);
      expect(takers.length, `${name} is taken by a type`).toBeGreaterThan(0);
      for (const { properties } of takers) expect(properties[name], name).toEqual(schema);
    }
    expect(contract.find((taken) => typeOf(taken) === "text")?.required).toEqual(definitions.QuestionInfo.required);
  });

  test("get_answer's longest wait is the longest timeout", () => {
    expect(getAnswerFor(["ask_user"]).inputSchema).toMatchObject({ properties: { wait: { minimum: 0, maximum: limits.timeout.max } } });
  });

  test("the current default timeout is published", () => {
    const { inputSchema } = dialectOf("ask_user").definition({ defaultTimeout: 60_000 });
    expect(inputSchema).toMatchObject({
      properties: { timeout: { default: 60_000, description: "Timeout in milliseconds (default: 60000 = 1 minute)" } },
    });
  });

  test("every dialect publishes a tool under its own name", () => {
    for (const name of dialectNames) expect(dialectOf(name).definition({ defaultTimeout: 300_000 }).name).toBe(name);
  });
});
