import type { StoredBlob } from "@askbox/core/stores";
import { fakeClock } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { filesSize } from "../src/metrics/hub-metrics.ts";

test("the files' size is counted once a minute, and again as soon as a store that was away is back", async () => {
  const clock = fakeClock();
  const files: StoredBlob[] = [1, 2].map((size) => ({ sessionId: "one", id: `${size}`, size, storedAt: 0 }));
  const state = { lists: 0, isAway: false };
  const size = filesSize(
    {
      async list() {
        state.lists += 1;
        if (state.isAway) throw new Error("away");
        return files;
      },
    },
    clock,
  );
  expect(await Promise.all([size(), size()])).toEqual([3, 3]);
  files.pop();
  await clock.advance(59_999);
  expect(await size()).toBe(3);
  expect(state.lists).toBe(1);
  await clock.advance(1);
  expect(await size()).toBe(1);
  await clock.advance(60_000);
  state.isAway = true;
  expect(await size()).toBeUndefined();
  state.isAway = false;
  expect(await size()).toBe(1);
});
