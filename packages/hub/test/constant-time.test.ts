import crypto, { timingSafeEqual } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { loginKeyText } from "@askbox/wire";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createToken, hashToken } from "../src/index.ts";
import { startHub } from "./support.ts";

// Not `vi.mock`: another test file in the same worker may already have loaded the hub's modules.
beforeEach(() => {
  const spy = vi.spyOn(crypto, "timingSafeEqual");
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
});

/** For each known secret, the values it was compared with, as text. */
const compared = (encoding: "hex" | "utf8") =>
  vi.mocked(timingSafeEqual).mock.calls.map((sides) => sides.map((side) => (side as Buffer).toString(encoding)));

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("credentials are compared in constant time", () => {
  // promise: secrets-constant-time-unlogged
  it("with every token of the hub's own", async () => {
    const hub = await startHub();
    for (const shown of [createToken(), hub.tokens.asker]) {
      vi.mocked(timingSafeEqual).mockClear();
      await hub.call("GET", "/api/sessions", { headers: bearer(shown) });
      for (const token of Object.values(hub.tokens)) expect(compared("hex")).toContainEqual([hashToken(token), hashToken(shown)]);
    }
  });

  // promise: secrets-constant-time-unlogged
  it("with every named token", async () => {
    const hub = await startHub();
    const tokens: string[] = [];
    for (const name of ["one", "two", "three"]) {
      tokens.push((await hub.call("POST", "/api/tokens", { as: "desk", body: { name, scope: "desk" } })).body.token);
    }
    for (const shown of [createToken(), tokens[0] ?? ""]) {
      vi.mocked(timingSafeEqual).mockClear();
      await hub.call("GET", "/api/sessions", { headers: bearer(shown) });
      for (const token of tokens) expect(compared("utf8")).toContainEqual([hashToken(token), hashToken(shown)]);
    }
  });

  // promise: secrets-constant-time-unlogged
  it("with both halves of every browser's login", async () => {
    const hub = await startHub({ web: new URL(".", import.meta.url).pathname });
    const halves: { name: string; cookie: string; secret: string; hub: string }[] = [];
    for (let browser = 0; browser < 3; browser += 1) {
      const { body } = await hub.call("POST", "/auth/codes", { as: "desk" });
      const answer = await hub.call("POST", "/auth/login", { body: { code: body.code } });
      const [, name = "", cookie = ""] = /^(\w+)=([^;]+)/.exec(answer.headers["set-cookie"]?.[0] ?? "") ?? [];
      halves.push({ name, cookie, secret: answer.body.secret, hub: answer.body.hub });
    }
    const [first] = halves;
    const wrong = createToken();
    const look = async (cookie: string) => {
      vi.mocked(timingSafeEqual).mockClear();
      return (await hub.call("GET", "/api/sessions", { headers: { cookie: `${first?.name}=${cookie}`, ...bearer(wrong) } })).status;
    };
    for (const cookie of [wrong, first?.cookie ?? ""]) {
      expect(await look(cookie)).toBe(401);
      for (const known of halves) expect(compared("utf8")).toContainEqual([hashToken(known.cookie), hashToken(cookie)]);
    }
    const keyOf = (secret: string) => hashToken(loginKeyText(first?.hub ?? "", secret));
    expect(compared("utf8")).toContainEqual([keyOf(first?.secret ?? ""), keyOf(wrong)]);
  });
});
