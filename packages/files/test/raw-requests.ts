import { createHash } from "node:crypto";
import { memoryBlobs } from "../src/index.ts";
import type { TestHub } from "./support.ts";

export const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
export const blobs = () => memoryBlobs({ now: () => 0, sha256 });

export type As = "asker" | "otherAsker" | "desk" | "metrics";
export interface Sent {
  as?: As;
  headers?: Record<string, string>;
  body?: Uint8Array | ReadableStream<Uint8Array>;
}

/** A request with bytes, and its response as bytes. */
export async function raw(hub: TestHub, method: string, query: string, { as, headers = {}, body }: Sent = {}) {
  let isOver = false;
  const answer = fetch(`${hub.url}/api/files?${query}`, {
    method,
    headers: { ...(as && { authorization: `Bearer ${hub.tokens[as]}` }), ...headers },
    ...(body !== undefined && { body: body as BodyInit, duplex: "half" }),
  })
    .then(async (response) => {
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: response.headers, bytes, body: bytes.length === 0 ? undefined : tried(String(bytes)) };
    })
    .finally(() => {
      isOver = true;
    });
  answer.catch(() => {});
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    await hub.clock.advance(0);
  }
  return answer;
}

function tried(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function attach(hub: TestHub, id: string, bytes: Uint8Array = png) {
  return (await raw(hub, "POST", `session=${id}`, { as: "desk", body: bytes })).body;
}
