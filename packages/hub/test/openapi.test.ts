import { expect, it } from "vitest";
import { askOne, startHub } from "./support.ts";

// promise: other-user-reads-nothing
it("describes REST to anybody, by routes that exist and the schemas that they check with", async () => {
  const hub = await startHub();
  const { status, body } = await hub.call("GET", "/openapi.json");
  expect(status).toBe(200);
  expect(body).toMatchObject({ openapi: "3.1.0", info: { title: "askbox", version: "1.2.3" } });
  const ask = body.paths["/api/sessions"].post;
  expect(ask.requestBody.content["application/json"].schema).toMatchObject({
    required: ["questions"],
    properties: { questions: { minItems: 1, maxItems: 10 }, timeout: { minimum: 10_000, maximum: 1_800_000 }, key: { type: "string" } },
  });
  const { parameters } = body.paths["/api/sessions"].get;
  expect(parameters.find(({ name }: { name: string }) => name === "status").schema).toMatchObject({ type: "array" });
  expect(parameters.find(({ name }: { name: string }) => name === "limit").schema).toMatchObject({ type: "integer", maximum: 1_000 });

  // A token for asking is refused any session but its own.
  const own = await askOne(hub);
  for (const [path, methods] of Object.entries<Record<string, Described>>(body.paths)) {
    for (const [method, { security, responses }] of Object.entries(methods)) {
      // A stream has no end that could be waited for; it has tests of its own.
      if (responses["200"]?.content["text/event-stream"] !== undefined) continue;
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
  responses: Record<string, { content: Record<string, unknown> }>;
}
