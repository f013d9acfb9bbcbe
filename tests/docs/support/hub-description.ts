import { createBroker, memoryStore, silentLog, standardPlatform } from "@askbox/core";
import { createHub, pendingLedger, tokenVerifier } from "@askbox/hub";
import type { JsonSchema } from "./type-text.ts";

/** The parts of an OpenAPI document that the page is made of. */
export interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
}

export interface OpenApiOperation {
  summary: string;
  security: Record<string, unknown>[];
  parameters: { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

/** What a hub serves as `/openapi.json`. */
export async function hubDescription(): Promise<OpenApi> {
  const platform = standardPlatform(globalThis);
  const store = memoryStore();
  const broker = await createBroker({ ...platform, store, log: silentLog });
  const hub = createHub({
    ...{ broker, platform, version: "0", instance: "docs", tokens: tokenVerifier([]), pending: await pendingLedger(store) },
    control: { status: async () => ({}), stop: async () => {} },
  });
  try {
    const url = await hub.listen();
    return (await (await fetch(new URL("/openapi.json", url))).json()) as OpenApi;
  } finally {
    await hub.close();
    await broker.close();
  }
}
