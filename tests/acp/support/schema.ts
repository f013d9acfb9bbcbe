import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv2020 } from "ajv/dist/2020.js";

interface Definition {
  "x-method"?: string;
}
/** The protocol's own schema. */
const schema: { $defs: Record<string, Definition> } = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json"), "utf8"),
);
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(schema, "acp");

const named = (method: string, ending: RegExp): string | undefined =>
  Object.entries(schema.$defs).find(([name, definition]) => definition["x-method"] === method && ending.test(name))?.[0];

/** What is wrong with a message by the schema; extensions, whose names begin with an underscore, and errors are free. `answers`: the method of the request. */
export function problemsOf(message: Record<string, unknown>, answers: string | undefined): unknown[] {
  const { method, params, result } = message;
  const isResponse = method === undefined;
  if (isResponse && result === undefined) return [];
  const of = isResponse ? answers : String(method);
  if (of === undefined) return [`Nobody has asked what ${JSON.stringify(message)} answers.`];
  if (of.startsWith("_")) return [];
  const name = named(of, isResponse ? /Response$/ : /(?:Request|Notification)$/);
  if (name === undefined) return [`The schema has no ${of}.`];
  const validate = ajv.getSchema(`acp#/$defs/${name}`);
  return validate === undefined || validate(isResponse ? result : params) === true ? [] : (validate.errors ?? []);
}
