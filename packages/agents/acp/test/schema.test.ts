import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { allow, form, initialize, notified, permission, toyPass } from "./support.ts";

/** The protocol's own schema, by the name of a definition. */
const schema = JSON.parse(readFileSync(createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json"), "utf8"));
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(schema, "acp");

function problems(name: string, value: unknown): unknown {
  const validate = ajv.getSchema(`acp#/$defs/${name}`);
  if (validate === undefined) throw new Error(`The schema has no ${name}.`);
  return validate(value) ? [] : validate.errors;
}

describe("what is not forwarded is valid ACP", () => {
  it("answers and withdrawals", async () => {
    const { fromAgent, fromEditor, asks, toAgent, toEditor, settle } = toyPass({ forms: true });
    fromEditor(initialize(1));
    fromAgent(permission(1), permission(2), form(3));
    asks[0]?.decide(allow);
    asks[2]?.decide({ kind: "form", result: { action: "accept", content: { db: "pg" } } });
    await settle();
    fromEditor(notified("session/cancel", { sessionId: "s1" }));
    const [, ...answers] = toAgent();
    const byId = new Map(answers.map(({ id, result }) => [id, result]));
    for (const id of [1, 2]) expect(problems("RequestPermissionResponse", byId.get(id))).toEqual([]);
    expect(problems("CreateElicitationResponse", byId.get(3))).toEqual([]);
    expect(problems("CancelRequestNotification", toEditor().at(-1).params)).toEqual([]);
    expect(problems("RequestPermissionResponse", { outcome: "allow" })).not.toEqual([]);
  });

  it("initialize and a new session, as they are changed", () => {
    const server = { name: "askbox", command: "node", args: ["askbox", "mcp"], env: [] };
    const { fromEditor, toAgent } = toyPass({ forms: true, server });
    fromEditor(initialize(1), { jsonrpc: "2.0", id: 2, method: "session/new", params: { cwd: "/p", mcpServers: [] } });
    const [first, second] = toAgent();
    expect(problems("InitializeRequest", first.params)).toEqual([]);
    expect(problems("NewSessionRequest", second.params)).toEqual([]);
  });
});
