import { createBroker, memoryStore, silentLog, standardPlatform } from "@askbox/core";
import { createHub, pendingLedger } from "@askbox/hub";
import type { JsonSchema } from "./type-text.ts";

/** The parts of an OpenAPI document that the page consists of. */
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

/** A hub's `/openapi.json`, with references to schemas resolved. */
export async function hubDescription(): Promise<OpenApi> {
  const platform = standardPlatform(globalThis);
  const store = memoryStore();
  const broker = await createBroker({ ...platform, store, log: silentLog });
  const hub = createHub({ broker, pending: await pendingLedger(store) });
  try {
    const url = await hub.listen();
    const document = await (await fetch(new URL("/openapi.json", url))).json();
    return writtenOut(document, document.components.schemas) as OpenApi;
  } finally {
    await hub.close();
    await broker.close();
  }
}

function writtenOut(part: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(part)) return part.map((item) => writtenOut(item, schemas));
  if (typeof part !== "object" || part === null) return part;
  const { $ref, ...own } = part as Record<string, unknown>;
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(String($ref)) ?? [];
  const whole = name === undefined ? part : { ...(schemas[name] as object), ...own };
  return Object.fromEntries(Object.entries(whole).map(([key, value]) => [key, writtenOut(value, schemas)]));
}
