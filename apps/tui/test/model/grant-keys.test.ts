import { expect, test } from "vitest";
import { grantsRead } from "../../src/model/grant-keys.ts";
import { Turn } from "../../src/model/turn.ts";
import { foundGrants } from "../../src/model/ui-state.ts";
import { situations } from "./cases.ts";
import { aGrant, pressed } from "./situations.ts";

test("the cursor stays among the grants when the last one goes, and expired ones aren't shown", () => {
  const { state } = pressed({ ui: { overlay: { kind: "grants" }, grants: { ...situations["in the grants"].ui.grants, item: 2 } } }, "down");
  const seen = { now: Date.UTC(2026, 2, 5, 12) } as Turn["seen"];
  const turn = new Turn(state, seen);
  grantsRead(turn, [aGrant("npm test"), { ...aGrant("make"), expiresAt: seen.now }], "npm run lint");
  expect(foundGrants(turn.ui.grants).map(({ id }) => id)).toEqual(["npm test"]);
  expect(turn.ui.grants.item).toBe(0);
  expect(turn.ui.notice?.text).toBe("Revoked: npm run lint");
});
