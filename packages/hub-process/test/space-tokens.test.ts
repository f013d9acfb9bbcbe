import type { SharedState } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { fakeClock } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { spaceTokens } from "../src/space.ts";

const secret = (name: string) => name.padEnd(32, "-");
const tokensOf = (hub: string) => ({
  askerToken: secret(`${hub}-asker`),
  deskToken: secret(`${hub}-desk`),
  proofKey: secret(`${hub}-proof`),
});

/** A space whose tokens two hubs are about to read. */
function space() {
  const memory = sharedMemory(fakeClock());
  return [memory.open(), memory.open()] as [SharedState, SharedState];
}

test("all hubs of a space accept the tokens of the first", async () => {
  const [one, two] = space();
  expect(await Promise.all([spaceTokens(one, tokensOf("one")), spaceTokens(two, tokensOf("two"))])).toEqual([
    tokensOf("one"),
    tokensOf("one"),
  ]);
});

test("a space without a proof key gets one, the same for two hubs that start at once, and keeps everything else", async () => {
  const [one, two] = space();
  const { proofKey: _, ...old } = tokensOf("old");
  await one.swap("tokens", undefined, JSON.stringify({ ...old, later: 1 }), null);
  const [first, second] = await Promise.all([spaceTokens(one, tokensOf("one")), spaceTokens(two, tokensOf("two"))]);
  expect(first).toMatchObject(old);
  expect([tokensOf("one").proofKey, tokensOf("two").proofKey]).toContain(first.proofKey);
  expect(second).toEqual(first);
  expect(JSON.parse((await two.get("tokens")) ?? "")).toEqual(first);
  expect(await spaceTokens(two, tokensOf("three"))).toEqual(first);
});

test.each(["", "{", "[]", '{"askerToken":"short"}', JSON.stringify({ ...tokensOf("x"), proofKey: 7 })])(
  "a space whose tokens are %j is reported as damaged, and not changed",
  async (text) => {
    const [one] = space();
    await one.swap("tokens", undefined, text, null);
    await expect(spaceTokens(one, tokensOf("one"))).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    expect(await one.get("tokens")).toBe(text);
  },
);
