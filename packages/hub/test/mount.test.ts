import { ServerResponse } from "node:http";
import { describe, expect, it, vi } from "vitest";
import type { MountService } from "../src/index.ts";
import { startHub } from "./support.ts";

/** A service that reports a request's token and the length of its body, and continues writing to clients that have gone. */
function service(): { mount: MountService; waits: Promise<void>; gone: Promise<void>; closed: () => boolean } {
  const waiting = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  let isClosed = false;
  return {
    waits: waiting.promise,
    gone: gone.promise,
    closed: () => isClosed,
    mount: ({ authorize, limits }) => ({
      paths: ["/own"],
      async fetch(request) {
        const { owner } = await authorize(request, "asker");
        const body = await request.text();
        limits.checkSize(body.length);
        if (body !== "wait") return Response.json({ owner, length: body.length });
        request.signal.addEventListener("abort", () => gone.resolve());
        waiting.resolve();
        return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }));
      },
      async close() {
        isClosed = true;
      },
    }),
  };
}

describe("a service mounted on a hub", () => {
  it("serves only its own paths, behind the hub's checks and with its headers", async () => {
    const { mount, closed } = service();
    const hub = await startHub({ mounts: [mount] });
    const answer = await hub.call("POST", "/own?query", { as: "asker", body: "four" });
    expect([answer.status, answer.body]).toEqual([200, { owner: "one", length: 4 }]);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect((await hub.call("GET", "/own/more", { as: "asker" })).status).toBe(404);
    expect((await hub.call("POST", "/own", { as: "asker", headers: { host: "rebound.example" } })).status).toBe(403);
    await hub.hub.close();
    expect(closed()).toBe(true);
  });

  it("gets errors about tokens and sizes, which become problem documents", async () => {
    const hub = await startHub({ mounts: [service().mount], limits: { requestBytes: 10 } });
    expect((await hub.call("POST", "/own")).body).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    expect((await hub.call("POST", "/own", { as: "desk" })).body).toMatchObject({ status: 403, code: "FORBIDDEN" });
    expect((await hub.call("POST", "/own", { as: "asker", body: "x".repeat(11) })).body).toMatchObject({ status: 413 });
  });

  it("does not end the hub by writing to a client that has disconnected", async () => {
    const { mount, waits, gone } = service();
    const hub = await startHub({ mounts: [mount] });
    const cut = new AbortController();
    const call = hub.call("POST", "/own", { as: "asker", body: "wait", signal: cut.signal });
    const failed = expect(call).rejects.toThrow();
    await waits;
    cut.abort();
    await failed;
    await gone;
    expect((await hub.call("GET", "/healthz")).status).toBe(200);
  });

  // Requested outcomes count as delivered to the client.
  it("is asked for the next chunk of its response once the system has accepted the one before", async () => {
    const written = Promise.withResolvers<() => void>();
    const { write } = ServerResponse.prototype;
    vi.spyOn(ServerResponse.prototype, "write").mockImplementation(function (this: ServerResponse, chunk: unknown, done: unknown) {
      written.resolve(done as () => void);
      return write.call(this, chunk, "utf8");
    });
    let asked = 0;
    const ended = Promise.withResolvers<void>();
    const body = () =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            asked += 1;
            if (asked === 1) return controller.enqueue(new TextEncoder().encode('"taken"'));
            controller.close();
            ended.resolve();
          },
        },
        { highWaterMark: 0 },
      );
    const hub = await startHub({ mounts: [() => ({ paths: ["/own"], fetch: async () => new Response(body()), close: async () => {} })] });
    const call = hub.call("GET", "/own");
    const taken = await written.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toBe(1);
    taken();
    await ended.promise;
    expect((await call).status).toBe(200);
  });
});
