import { expect, test } from "vitest";
import { grantsRead } from "../../src/model/grant-keys.ts";
import { Turn } from "../../src/model/turn.ts";
import { foundGrants } from "../../src/model/ui-state.ts";
import { situations } from "./cases.ts";
import { aGrant, expectKeys, pressed } from "./situations.ts";

test("in the grants", () => {
  expectKeys(situations["in the grants"], {
    "up k pageup ctrl+b home g": "grants 0 “”",
    "down j pagedown ctrl+f end shift+g G": "grants 2 “”",
    "/": "types grant “”",
    "delete backspace": "readGrants npm run lint",
    "b q escape": "closes",
  });
});

test("in grants that are searched", () => {
  expectKeys(situations["in grants that are searched"], {
    "down j pagedown ctrl+f end shift+g G": "grants 1 “npm”",
    "/": "types grant “npm”",
    "delete backspace": "readGrants npm test",
    escape: "grants 0 “”",
    "b q": "closes",
  });
});

test("in a search of the grants", () => {
  expectKeys(situations["in a search of the grants"], {
    "up down enter ctrl+enter tab": "ends typing",
    "left home": "types grant “npm”",
    escape: "ends typing; grants 0 “”",
  });
});

test("the cursor stays among the grants when the last one goes, and expired ones aren't shown", () => {
  const { state } = pressed({ ui: { overlay: { kind: "grants" }, grants: { ...situations["in the grants"].ui.grants, item: 2 } } }, "down");
  const seen = { now: Date.UTC(2026, 2, 5, 12) } as Turn["seen"];
  const turn = new Turn(state, seen);
  grantsRead(turn, [aGrant("npm test"), { ...aGrant("make"), expiresAt: seen.now }], "npm run lint");
  expect(foundGrants(turn.ui.grants).map(({ id }) => id)).toEqual(["npm test"]);
  expect(turn.ui.grants.item).toBe(0);
  expect(turn.ui.notice?.text).toBe("Revoked: npm run lint");
});
