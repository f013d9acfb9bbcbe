import { AskboxError, isAskboxError } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import type { Access, MountContext } from "@askbox/hub";
import { expect, test } from "vitest";
import { mountMetrics } from "../src/metrics/mount-metrics.ts";

/** `/metrics` of a hub whose tokens are in a store that can be away. */
function served() {
  const platform = testPlatform();
  const tokens = new Map<string, Access>();
  const state = { isAway: false };
  let revoked = (_owner: string) => {};
  const context = {
    platform,
    async authorize(request: Request) {
      if (state.isAway) throw new AskboxError("STORE_UNAVAILABLE", "It is away.");
      const access = tokens.get(request.headers.get("authorization") ?? "");
      if (access === undefined) throw new AskboxError("UNAUTHORIZED", "Who are you?");
      return access;
    },
    onRevoked(listener: (owner: string) => void) {
      revoked = listener;
      return () => {};
    },
  } as Partial<MountContext> as MountContext;
  const { fetch } = mountMetrics({ text: async () => "up 1\n" })(context);
  return {
    clock: platform.clock,
    tokens,
    state,
    revoke: (owner: string) => revoked(owner),
    /** The status, or the error's code. */
    async read(authorization?: string): Promise<number | string> {
      const request = new Request("http://127.0.0.1/metrics", authorization === undefined ? {} : { headers: { authorization } });
      try {
        return (await fetch(request)).status;
      } catch (error) {
        if (isAskboxError(error)) return error.code;
        throw error;
      }
    },
  };
}

const access = (owner: string, expiresAt?: number): Access => ({ owner, scopes: ["metrics"], expiresAt });

test("while the store is away, a token that was accepted reads metrics for an hour, since they say that it is away", async () => {
  const { clock, read, state, tokens } = served();
  tokens.set("Bearer one", access("token:1"));
  expect(await read("Bearer one")).toBe(200);
  state.isAway = true;
  expect([await read("Bearer one"), await read("Bearer two"), await read()]).toEqual([200, "STORE_UNAVAILABLE", "STORE_UNAVAILABLE"]);
  await clock.advance(3_599_999);
  expect(await read("Bearer one")).toBe(200);
  await clock.advance(1);
  expect(await read("Bearer one")).toBe("STORE_UNAVAILABLE");
});

test("a token that was revoked, expired or refused meanwhile is not believed, and neither is a request without one", async () => {
  const { clock, read, revoke, state, tokens } = served();
  tokens.set("Bearer revoked", access("token:1"));
  tokens.set("Bearer expired", access("token:2", clock.now() + 1_000));
  tokens.set("Bearer refused", access("token:3"));
  // A browser's cookie, which this hub has accepted.
  tokens.set("", access("device:4"));
  for (const token of ["Bearer revoked", "Bearer expired", "Bearer refused", undefined]) expect(await read(token)).toBe(200);
  revoke("token:1");
  tokens.delete("Bearer refused");
  expect(await read("Bearer refused")).toBe("UNAUTHORIZED");
  await clock.advance(1_000);
  state.isAway = true;
  for (const token of ["Bearer revoked", "Bearer expired", "Bearer refused", undefined])
    expect(await read(token)).toBe("STORE_UNAVAILABLE");
});

test("only the latest tokens are remembered", async () => {
  const { read, state, tokens } = served();
  for (let index = 0; index < 30; index += 1) {
    tokens.set(`Bearer ${index}`, access(`token:${index}`));
    await read(`Bearer ${index}`);
  }
  state.isAway = true;
  expect([await read("Bearer 0"), await read("Bearer 29")]).toEqual(["STORE_UNAVAILABLE", 200]);
});
