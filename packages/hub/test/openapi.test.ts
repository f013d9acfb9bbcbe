import { expect, it } from "vitest";
import { askOne, startHub } from "./support.ts";

// promise: other-user-reads-nothing
it("describes REST to anybody, by routes that exist and the schemas that they check with", async () => {
  const hub = await startHub();
  const { status, body } = await hub.call("GET", "/openapi.json");
  expect(status).toBe(200);
  expect(body).toMatchObject({ openapi: "3.1.0", info: { title: "askbox", version: "1.2.3" } });
  const ask = body.paths["/api/sessions"].post;
  expect(ask.requestBody.content["application/json"].schema).toEqual({ $ref: "#/components/schemas/AskRequest" });
  expect(body.components.schemas.AskRequest).toMatchObject({
    required: ["questions"],
    properties: { questions: { minItems: 1, maxItems: 10 }, timeout: { minimum: 10_000, maximum: 1_800_000 }, key: { type: "string" } },
  });
  const { parameters } = body.paths["/api/sessions"].get;
  expect(parameters.find(({ name }: { name: string }) => name === "status").schema).toMatchObject({ type: "array" });
  expect(parameters.find(({ name }: { name: string }) => name === "limit").schema).toMatchObject({ type: "integer", maximum: 1_000 });

  // A token for asking is denied any session but its own.
  const own = await askOne(hub);
  for (const [path, methods] of Object.entries<Record<string, Described>>(body.paths)) {
    for (const [method, { security, responses }] of Object.entries(methods)) {
      // A stream never ends; it has its own tests.
      if (responses["200"]?.content?.["text/event-stream"] !== undefined) continue;
      const [scope = ""] = Object.keys(security[0] ?? {});
      const answer = await hub.call(method.toUpperCase(), path.replace("/sessions/{id}", `/sessions/${own}`).replace("{id}", "nothing"), {
        as: scope as "asker" | "desk",
        ...(method !== "get" && { body: {} }),
      });
      expect([401, 403], `${method} ${path}`).not.toContain(answer.status);
      expect(answer.body?.detail ?? "", `${method} ${path}`).not.toContain("There is nothing at");
    }
  }
});

interface Described {
  security: Record<string, unknown>[];
  operationId: string;
  responses: Record<string, { content?: Record<string, unknown> }>;
}

it("gives generators a name for each operation and shape, every refusal, and answers that may grow", async () => {
  const hub = await startHub();
  const { body } = await hub.call("GET", "/openapi.json");
  const described = Object.values<Record<string, Described>>(body.paths).flatMap((methods) => Object.values(methods));
  const ids = described.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain("answerSession");
  for (const { operationId, responses } of described)
    expect([operationId, Object.keys(responses)]).toEqual([operationId, expect.arrayContaining(["401", "403", "429"])]);
  const answering = body.paths["/api/sessions/{id}/answer"].post.responses;
  expect(Object.keys(answering)).toEqual(["200", "400", "401", "403", "404", "409", "413", "422", "429", "default"]);
  expect(Object.keys(body.paths["/api/sessions/{id}/ask-back"].post.responses)).toContain("422");
  const { schemas } = body.components;
  for (const [, name] of JSON.stringify(body).matchAll(/"#\/components\/schemas\/(\w+)"/g)) expect(schemas).toHaveProperty(name as string);
  expect(schemas.SessionView.properties.outcome).toEqual({ $ref: "#/components/schemas/Outcome" });
  for (const name of ["SessionView", "Outcome", "AskResult", "Draft", "NamedToken"]) {
    expect(JSON.stringify(schemas[name])).not.toContain('"additionalProperties":false');
  }
});
