import { dialectNames, type JsonSchema, toolDefinitions } from "@askbox/mcp";
import { describe, expect, test } from "vitest";
import { isObject } from "../src/json.ts";
import { skillTexts } from "../src/skill.ts";

/** Every property name anywhere in a schema. */
function names(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(names);
  if (!isObject(schema)) return [];
  const own = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return [...own, ...Object.values(schema).flatMap(names)];
}

describe.each(dialectNames)("the skill for %s", (tool) => {
  const { skill, instruction } = skillTexts([tool]);
  const definitions = toolDefinitions([tool]);
  const schemas = definitions.flatMap(({ inputSchema, outputSchema }): JsonSchema[] => [
    inputSchema,
    ...(outputSchema === undefined ? [] : [outputSchema]),
  ]);

  test("names every tool, and every field of its schemas", () => {
    for (const { name, description } of definitions) {
      expect(skill).toContain(`## \`${name}\``);
      expect(skill).toContain(description);
    }
    for (const field of schemas.flatMap(names)) expect(skill).toContain(`- \`${field}\` (`);
  });

  test("names no other fields", () => {
    const known = new Set(schemas.flatMap(names));
    const listed = [...skill.matchAll(/^\s*- `(\w+)` \(/gm)].map(([, field]) => field ?? "");
    expect(listed.filter((field) => !known.has(field))).toEqual([]);
    expect(listed.length).toBeGreaterThan(0);
  });

  test("contains every limit and default of the schemas", () => {
    for (const limit of JSON.stringify(schemas).matchAll(/"(?:maxItems|maxLength|maximum|minimum)":(\d+)/g))
      expect(skill).toContain(limit[1]);
  });

  test("begins as agents expect, and says that a missing answer is not an answer", () => {
    expect(skill).toMatch(/^---\nname: askbox\ndescription: [^\n]{50,1024}\n---\n/);
    for (const text of [skill, instruction]) {
      expect(text).toContain("Never answer for the person.");
      expect(text).toContain("not consent");
    }
  });
});
