import { describe, expect, it } from "vitest";
import { startHub } from "./support.ts";

describe("REST for grants", () => {
  it("creates one for a prefix, lists and revokes it", async () => {
    const hub = await startHub();
    const call = (method: string, path = "", body?: unknown) => hub.call(method, `/api/grants${path}`, { as: "desk", body });
    expect((await call("GET")).body).toEqual({ items: [] });
    const made = await call("POST", "", { prefix: "npm test", client: "claude-code", project: "/srv/engine", duration: 60_000 });
    expect(made).toMatchObject({ status: 201, body: { scope: "project", kind: "command", match: { type: "prefix", prefix: "npm test" } } });
    const { id, createdAt, expiresAt } = made.body as { id: string; createdAt: number; expiresAt: number };
    expect(expiresAt - createdAt).toBe(60_000);
    expect((await call("GET")).body).toEqual({ items: [made.body] });
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    expect((await call("DELETE", `/${id}`)).status).toBe(404);
  });

  it("rejects a prefix that no plain command has, and one that lasts more than 30 days", async () => {
    const hub = await startHub();
    const make = (body: object) => hub.call("POST", "/api/grants", { as: "desk", body: { client: "c", project: "/p", ...body } });
    for (const body of [
      { prefix: "a && b" },
      { prefix: "A=b c" },
      { prefix: "a", duration: 31 * 86_400_000 },
      { prefix: "a", duration: 1 },
    ]) {
      expect(await make(body)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    }
    expect(await hub.broker.grants.list()).toEqual([]);
  });

  // promise: asker-scope
  it("rejects asker tokens and requests without a token", async () => {
    const hub = await startHub();
    const wish = { prefix: "a", client: "c", project: "/p" };
    expect((await hub.call("POST", "/api/grants", { as: "asker", body: wish })).status).toBe(403);
    expect((await hub.call("GET", "/api/grants", { as: "asker" })).status).toBe(403);
    expect((await hub.call("GET", "/api/grants")).status).toBe(401);
    expect(await hub.broker.grants.list()).toEqual([]);
  });
});
