import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { JsonSchema } from "./dialects/dialect.ts";

/**
 * A Standard Schema that publishes the given JSON Schema and accepts every value. The core validates, because the SDK's error message would
 * hide the contract's own.
 */
export function publishedSchema(schema: JsonSchema): StandardSchemaWithJSON<unknown, unknown> {
  const published = () => schema;
  return {
    "~standard": {
      version: 1,
      vendor: "askbox",
      validate: (value) => ({ value }),
      jsonSchema: { input: published, output: published },
    },
  };
}
