import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { phone } from "./support/browser.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

/** Moves a finger sideways over a row of the list, as a touch screen reports it. Returns what the row said before the finger left it. */
async function swipe(page: Page, id: string, by: number): Promise<string> {
  const row = page.locator(`li:has(> [data-session="${id}"])`);
  const box = await row.boundingBox();
  if (box === null) throw new Error("The row is not on the page.");
  const [x, y] = [box.x + box.width / 2 - by / 2, box.y + box.height / 2];
  const touch = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", at?: number) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: at === undefined ? [] : [{ x: at, y }] });
  await send("touchStart", x);
  for (const part of [0.1, 0.3, 0.6, 1]) await send("touchMove", x + by * part);
  await until(async () => (await row.getAttribute("data-swipe")) !== null, "the row to follow the finger");
  const said = (await row.getAttribute("data-swipe")) ?? "";
  // The finger rests for some frames: a tap right after one that was flung only stops the fling.
  for (let frame = 0; frame < 20; frame += 1) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)).then(() => undefined));
    await send("touchMove", x + by);
  }
  await send("touchEnd");
  const isAtRest = () => row.evaluateAll((rows) => rows.every((each) => each.dataset["swipe"] === undefined));
  await until(isAtRest, "the row to rest");
  await touch.detach();
  return said.replace(/[\u2068\u2069]/g, "");
}

test("a finger's swipe sends the recommendation or Yes, which can be undone, or snoozes; none allows an action", async () => {
  const action = { kind: "command" as const, command: "ls" };
  const may = await hub().ask({ questions: [{ question: "May I?", type: "approval", action }] });
  const sure = await hub().ask({ questions: [{ question: "Delete it?", type: "confirm" }] });
  const options = ["Apple", { label: "Pear", recommended: true }];
  const fruit = await hub().ask({ questions: [{ question: "Which fruit?", type: "select", options }] });
  const { page } = await enter({ viewport: phone, hasTouch: true, isMobile: true, settings: { undoSeconds: 60 } });
  await until(async () => (await page.locator(".row").count()) === 3, "the rows");
  // Loaded on its own, after the list.
  await until(
    () =>
      page
        .locator("li:has(> [data-session])")
        .first()
        .evaluate((row) => getComputedStyle(row).touchAction === "pan-y"),
    "swipes",
  );

  expect(await swipe(page, may, 240)).toBe("");
  expect((await hub().desk().getDraft(may))?.scheduled).toBeUndefined();

  expect(await swipe(page, sure, 240)).toBe("Send Yes");
  await until(async () => (await hub().desk().getDraft(sure))?.scheduled !== undefined, "the answer held back");
  await page.getByRole("button", { name: "Undo" }).first().tap();
  await until(async () => (await hub().desk().getDraft(sure))?.scheduled === undefined, "the answer undone");
  expect((await hub().view(sure)).status).toBe("pending");

  expect(await swipe(page, fruit, 240)).toBe("Send Pear");
  await until(async () => (await hub().desk().getDraft(fruit))?.scheduled !== undefined, "the recommendation held back");

  expect(await swipe(page, may, -240)).toMatch(/^Snooze for /);
  await page.locator(`.list [data-session="${may}"]`).waitFor({ state: "detached" });
  expect((await hub().view(may)).status).toBe("pending");
  expect(new URL(page.url()).pathname).toBe("/");
});
