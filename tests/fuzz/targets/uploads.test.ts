import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHub, hashToken, tokenVerifier } from "@askbox/hub";
import fc from "fast-check";
import { folderBlobs, hubFiles } from "../../../packages/files/src/index.ts";
import { fuzz } from "../engine/fuzz.ts";
import { assertAnswer, exchange } from "../engine/http.ts";
import { place } from "../engine/mutated.ts";
import { oddText, writeOut } from "../engine/odd.ts";
import { fault } from "../engine/oracle.ts";
import { openWorld } from "../engine/world.ts";

/** A request with a part of the file: from where, how much of it, and how much arrives before the connection is cut. */
const part = fc.record({
  method: fc.constantFrom("PATCH", "PATCH", "PATCH", "POST", "PUT", "DELETE", "GET"),
  from: place,
  length: place,
  arrives: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: place }),
  /** A parameter with another value. */
  changed: fc.option(fc.tuple(fc.constantFrom("session", "upload", "offset", "size", "name", "id", "fit"), oddText), { freq: 3 }),
  token: fc.constantFrom("desk", "desk", "desk", "desk", "asker", "nobody"),
  isChunked: fc.boolean(),
});

/** Parts of a file in any order, repeated, cut and damaged, two at the same time; after them, a client that keeps to the protocol. */
fuzz({
  name: "uploads",
  input: fc.record({
    size: fc.integer({ min: 0, max: 200_000 }),
    parts: fc.array(fc.array(part, { minLength: 1, maxLength: 2 }), { maxLength: 5 }),
  }),
  runs: 25,
  async open() {
    const world = await openWorld();
    const { broker, platform, log, store, session } = world;
    const folder = mkdtempSync(join(tmpdir(), "askbox-uploads-"));
    const files = hubFiles({ blobs: folderBlobs({ folder }), store, clock: platform.clock });
    const hub = createHub({
      broker,
      platform,
      log,
      version: "1.0.0",
      instance: "one",
      mounts: [files.mount],
      tokens: tokenVerifier([
        { hash: hashToken("asker"), access: { owner: "one", scopes: ["asker"] } },
        { hash: hashToken("desk"), access: { owner: "desk", scopes: ["desk"] } },
      ]),
      control: { status: async () => ({}), stop: async () => {} },
    });
    const url = new URL(await hub.listen());
    const headers = { authorization: "Bearer desk" };
    let uploads = 0;

    /** Sends all of it from where the hub is, and returns the file's id. */
    const finish = async (bytes: Buffer, upload: string): Promise<string> => {
      let offset = 0;
      for (let tries = 0; tries < 10; tries += 1) {
        const query = new URLSearchParams({ session, upload, offset: String(offset), size: String(bytes.length) });
        const response = await fetch(new URL(`/api/files?${query}`, url), {
          method: "PATCH",
          headers,
          body: Uint8Array.from(bytes.subarray(offset)),
        });
        const told = await response.json();
        if (response.status === 201) return told.sha256;
        if (response.status !== 409 || typeof told.offset !== "number")
          fault(`A valid part is answered ${response.status}: ${JSON.stringify(told)}`);
        offset = told.offset;
      }
      return fault("An upload that keeps to the protocol doesn't end.");
    };

    return {
      async take({ size, parts }) {
        uploads += 1;
        const upload = `upload-${uploads}`;
        // Different files, so that none is stored already.
        const bytes = Buffer.alloc(size, `${uploads} of `);
        for (const atOnce of parts) {
          const sent = atOnce.map(async ({ method, from, length, arrives, changed, token, isChunked }) => {
            const offset = Math.floor(from * (size + 1));
            const body = bytes.subarray(offset, offset + Math.ceil(length * size));
            const query = new URLSearchParams({ session, upload, offset: String(offset), size: String(size) });
            if (changed !== null) query.set(changed[0], writeOut(changed[1]));
            const path = `/api/files?${query}`;
            const lines = [
              ...[`${method} ${path} HTTP/1.1`, `host: ${url.host}`, `authorization: Bearer ${token}`, "connection: close"],
              isChunked ? "transfer-encoding: chunked" : `content-length: ${body.length}`,
            ];
            const framed = isChunked ? [`${body.length.toString(16)}\r\n`, body, body.length === 0 ? "\r\n" : "\r\n0\r\n\r\n"] : [body];
            const whole = Buffer.concat([`${lines.join("\r\n")}\r\n\r\n`, ...framed].map((piece) => Buffer.from(piece)));
            assertAnswer(await exchange(Number(url.port), whole.subarray(0, Math.ceil(arrives * whole.length)), arrives < 1), path);
          });
          await Promise.all(sent);
        }
        const id = await finish(bytes, upload);
        const stored = await fetch(new URL(`/api/files?${new URLSearchParams({ session, id })}`, url), { headers });
        const read = Buffer.from(await stored.arrayBuffer());
        if (Buffer.compare(read, bytes) !== 0) fault(`A file of ${size} bytes is another once it is stored: ${read.length} bytes.`);
        const removed = await fetch(new URL(`/api/files?${new URLSearchParams({ session, id })}`, url), { method: "DELETE", headers });
        if (removed.status !== 204) fault(`Removing a file is answered ${removed.status}: ${await removed.text()}`);
      },
      async close() {
        await world.assertServes();
        files.close();
        await hub.close();
        await world.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
});
