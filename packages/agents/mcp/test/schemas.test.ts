import { readdirSync, readFileSync } from "node:fs";
import { limits } from "@askbox/core";
import { askInputSchema, askResultSchema } from "@askbox/core/schemas";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { outputSchema } from "../src/dialects/ask-user/output-schema.ts";
import { type DialectName, dialectNames, dialectOf } from "../src/dialects/index.ts";
import { getAnswerFor, getFilesTool, toolDefinitions } from "../src/tool-definitions.ts";

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

/** Options take images as questions do, which is said there. */
function toldOnce(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), function (this: Record<string, unknown>, key, value) {
    return key === "images" && "label" in this ? undefined : value;
  });
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
      for (const { properties } of takers) expect(toldOnce(properties[name]), name).toEqual(schema);
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

  /** What each client shows its model of a tool, as measured; none shows the output schema. */
  const clients: Record<string, { prefix: string; schema: string; drops: string[]; adds?: Record<string, unknown> }> = {
    "Claude Code": { prefix: "mcp__askbox__", schema: "input_schema", drops: [] },
    Codex: { prefix: "mcp__askbox__", schema: "parameters", drops: ["maxItems", "minimum", "maximum", "maxLength", "default"] },
    OpenCode: { prefix: "askbox_", schema: "parameters", drops: [] },
    "Gemini CLI": {
      prefix: "mcp_askbox_",
      schema: "parametersJsonSchema",
      drops: [],
      adds: {
        wait_for_previous: {
          type: "boolean",
          description:
            "Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools.",
        },
      },
    },
  };
  const without = (schema: unknown, drops: readonly string[]): unknown => {
    if (Array.isArray(schema)) return schema.map((one) => without(one, drops));
    if (typeof schema !== "object" || schema === null) return schema;
    const kept = Object.entries(schema).filter(([key, value]) => typeof value === "object" || !drops.includes(key));
    return Object.fromEntries(kept.map(([key, value]) => [key, without(value, drops)]));
  };

  describe.each(Object.entries(clients))("as %s shows them", (_client, { prefix, schema, drops, adds }) => {
    const shown = (tool: DialectName, tools = toolDefinitions([tool])) =>
      JSON.stringify(
        tools.map(({ name, description, inputSchema }) => ({
          name: `${prefix}${name}`,
          description,
          [schema]: without({ ...inputSchema, properties: { ...Object(inputSchema["properties"]), ...adds } }, drops),
        })),
      );

    test.each(dialectNames)("%s and get_answer take at most 1,330 tokens", (tool) => {
      expect(shown(tool).length / 4).toBeLessThanOrEqual(1_330);
    });

    test("get_files takes at most 180 tokens besides", () => {
      expect(shown("ask_user", [getFilesTool]).length / 4).toBeLessThanOrEqual(180);
    });

    test("they have their limits, their defaults and their results in words", () => {
      const words = ["At most 10 questions", "1,000 characters", "title of 100", "10,000-1,800,000 ms", "default: true", "default: 300000"];
      for (const text of [...words, "at most 1,800,000", "up to 10,000", "comment", "note", "late", "earlier[]", "next"]) {
        expect(shown("ask_user")).toContain(text);
      }
      for (const text of ["1-4 questions", "2-4 options", "default: false"]) expect(shown("ask_user_questions")).toContain(text);
      expect(shown("ask_human")).toContain("10 minutes");
    });
  });

  test("every dialect publishes a tool under its own name", () => {
    for (const name of dialectNames) expect(dialectOf(name).definition({ defaultTimeout: 300_000 }).name).toBe(name);
  });

  test("are all offered and documented: every dialect of a folder has a line in index.ts, and a column in docs/tools.md", async () => {
    const folder = new URL("../src/dialects/", import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /[\\/]dialect\.ts$/.test(path));
    const exported = await Promise.all(files.map((path) => import(new URL(path, folder).href) as Promise<Record<string, unknown>>));
    const found = exported.flatMap((module) => Object.values(module).filter((value) => Object(value).traits !== undefined));
    expect(new Set(found)).toEqual(new Set(dialectNames.map(dialectOf)));
    const columns = readFileSync(new URL("../../../../docs/tools.md", import.meta.url), "utf8").match(/^\| \|.*$/m)?.[0];
    for (const name of dialectNames) expect(columns).toContain(`\`${name}\``);
  });
});
