import { expect, test } from "vitest";
import { onFailureShow, until, untilHolds } from "./until.ts";

test("a wait in vain says what it was for, what was there instead, and what the programs show", async () => {
  const hide = onFailureShow(() => "The screen:\n› Which colour?");
  const waiting = until("the question is settled", () => false, 20);
  await expect(waiting).rejects.toThrow(
    /^In 0\.02 s it did not come to this: the question is settled\. Last seen: false\.\nThe screen:\n› Which colour\?$/,
  );
  hide();
  const status = "pending";
  await expect(untilHolds(() => (status as string) === "settled", 20)).rejects.toThrow(
    /^In 0\.02 s .*: .*status.* === "settled"\. Last seen: false\.$/,
  );
});

test("what a look throws ends the wait, and what it finds is returned", async () => {
  const gone = new Error("The hub ended.");
  await expect(until("the hub is ready", () => Promise.reject(gone))).rejects.toBe(gone);
  const found = [undefined, false, "third"] as const;
  let looks = 0;
  expect(await until("the third look", () => found[looks++])).toBe("third");
});
