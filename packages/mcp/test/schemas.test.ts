import { askInputSchema, askResultSchema, limits } from "@askbox/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../src/dialects/dialect.ts";
import { dialectNames, dialectOf } from "../src/dialects/index.ts";
import { outputSchema } from "../src/dialects/output-schema.ts";
import { getAnswer } from "../src/get-answer.ts";

/** A schema without what only explains it, and without a closed set of keys: unknown arguments are stripped, not refused. */
function essence(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(essence);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => {
    const isKeyword = typeof value !== "object" || key === "additionalProperties";
    return !(isKeyword && ["description", "title", "$schema", "additionalProperties"].includes(key));
  });
  return Object.fromEntries(kept.map(([key, value]) => [key, essence(value)]));
}

describe("the published schemas", () => {
  test("the output schema is the core's result", () => {
    expect(essence(outputSchema)).toEqual(essence(z.toJSONSchema(askResultSchema)));
  });

  test("the input schema is what the core takes", () => {
    const { inputSchema } = dialectOf("ask_user").definition({ defaultTimeout: limits.timeout.default });
    const { definitions, ...rest } = essence(inputSchema) as JsonSchema & { definitions: { QuestionInfo: unknown } };
    const inlined = JSON.parse(
      JSON.stringify(rest).replace('{"$ref":"#/definitions/QuestionInfo"}', () => JSON.stringify(definitions.QuestionInfo)),
    );
    const taken = essence(z.toJSONSchema(askInputSchema, { io: "input" })) as { properties: { timeout: object } };
    // The default depends on the server's settings, so the core's schema leaves it to `parseAsk`.
    taken.properties.timeout = { ...taken.properties.timeout, default: limits.timeout.default };
    expect(inlined).toEqual(taken);
  });

  test("get_answer's longest wait is the longest timeout", () => {
    expect(getAnswer.inputSchema).toMatchObject({ properties: { wait: { minimum: 0, maximum: limits.timeout.max } } });
  });

  test("the default timeout in force is published", () => {
    const { inputSchema } = dialectOf("ask_user").definition({ defaultTimeout: 60_000 });
    expect(inputSchema).toMatchObject({
      properties: { timeout: { default: 60_000, description: "Timeout in milliseconds (default: 60000 = 1 minute)" } },
    });
  });

  test("every dialect publishes a tool of its own name", () => {
    for (const name of dialectNames) expect(dialectOf(name).definition({ defaultTimeout: 300_000 }).name).toBe(name);
  });
});
