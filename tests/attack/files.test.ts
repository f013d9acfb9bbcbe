import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type AttackedHub, attackedHub } from "./support/attacked-hub.ts";

function send(hub: AttackedHub, as: "asker" | "desk", query: string, bytes: Buffer<ArrayBuffer>): Promise<Response> {
  const headers = { authorization: `Bearer ${hub.tokens[as]}` };
  return fetch(new URL(`/api/files?${query}`, hub.url), { method: "POST", headers, body: bytes });
}

/** A picture of 20 KB that differs from all others. */
function picture(): Buffer<ArrayBuffer> {
  const bytes = randomBytes(20_000);
  bytes.write("89504e470d0a1a0a0000000d494844520000000300000002", "hex");
  return bytes;
}

// promise: files-shared-fairly
test("one asker that stores all it can leaves room for the files of people", async () => {
  const hub = await attackedHub({ ASKBOX_LIMITS_ALL_FILE_BYTES: "1000000", ASKBOX_LIMITS_FILE_BYTES_PER_TOKEN: "1000000" });
  const asked: string[] = [];
  let refused = 0;
  while (refused === 0 && asked.length < 100) {
    const { src } = (await (await send(hub, "asker", "name=a.png", picture())).json()) as { src?: string };
    const body = { questions: [{ question: `Which, ${asked.length}?`, images: [{ src }] }] };
    const { id } = (await (await hub.fetch("/api/sessions", { as: "asker", method: "POST", body })).json()) as { id?: string };
    if (id === undefined) refused += 1;
    else asked.push(id);
  }
  expect([refused, asked.length]).toEqual([1, 45]);
  for (const id of asked.slice(0, 2)) expect((await send(hub, "desk", `session=${id}`, picture())).status).toBe(201);
});
