import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { phone } from "./support/browser.ts";
import { drawn } from "./support/flaws.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const rowOf = (page: Page, id: string) => page.locator(`.list li:has(> [data-session="${id}"])`);

/** Resolves when the page listens to swipes, whose code is loaded after the list, and the browser leaves sideways movements to it. */
async function takesSwipes(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await until(async () => {
    const { result } = await browser.send("Runtime.evaluate", { expression: "document.querySelector('.list')" });
    const { listeners } = await browser.send("DOMDebugger.getEventListeners", { objectId: result.objectId ?? "" });
    return listeners.some(({ type }) => type === "pointermove");
  }, "the page to listen to fingers");
  await browser.detach();
  // The style came before that code. The browser goes by it from the frame that has it.
  await drawn(page);
}

/** Moves a finger sideways over a row of the list, as a touch screen reports it. Returns what the row said before the finger left it. */
async function swipe(page: Page, id: string, by: number): Promise<string> {
  const row = rowOf(page, id);
  const box = await row.boundingBox();
  if (box === null) throw new Error("The row is not on the page.");
  const [x, y] = [box.x + box.width / 2 - by / 2, box.y + box.height / 2];
  const touch = await page.context().newCDPSession(page);
  /** In s since the epoch. */
  const begin = Date.now() / 1_000 - 1;
  const send = (type: "touchStart" | "touchMove" | "touchEnd", after: number, at?: number) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: at === undefined ? [] : [{ x: at, y }], timestamp: begin + after });
  await send("touchStart", 0, x);
  for (const [index, part] of [0.1, 0.3, 0.6, 1].entries()) await send("touchMove", (index + 1) / 60, x + by * part);
  await until(async () => (await row.getAttribute("data-swipe")) !== null, "the row to follow the finger");
  const said = (await row.getAttribute("data-swipe")) ?? "";
  // The finger rests before it leaves: the first tap after a fling only stops that.
  for (const after of [0.6, 0.8]) await send("touchMove", after, x + by);
  await send("touchEnd", 1);
  await until(() => row.evaluateAll((rows) => rows.every((each) => each.dataset["swipe"] === undefined)), "the row to rest");
  await touch.detach();
  return said.replace(/[\u2068\u2069]/g, "");
}

test("a finger's swipe sends the recommendation or Yes, which can be undone, or snoozes; none allows an action", async () => {
  const action = { kind: "command" as const, command: "ls" };
  // By deadline, which questions of the same millisecond would share.
  const may = await hub().ask({ questions: [{ question: "May I?", type: "approval", action }], timeout: 1_300_000 });
  const sure = await hub().ask({ questions: [{ question: "Delete it?", type: "confirm" }], timeout: 1_310_000 });
  const options = ["Apple", { label: "Pear", recommended: true }];
  const fruit = await hub().ask({ questions: [{ question: "Which fruit?", type: "select", options }], timeout: 1_320_000 });
  const { page } = await enter({ viewport: phone, hasTouch: true, isMobile: true, settings: { undoSeconds: 60 } });
  await rowOf(page, fruit).waitFor();
  await takesSwipes(page);

  expect(await swipe(page, may, 240)).toBe("");
  expect((await hub().desk().getDraft(may))?.scheduled).toBeUndefined();

  expect(await swipe(page, sure, 240)).toBe("Send Yes");
  await until(async () => (await hub().desk().getDraft(sure))?.scheduled !== undefined, "the answer held back");
  await rowOf(page, sure).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).first().tap();
  await until(async () => (await hub().desk().getDraft(sure))?.scheduled === undefined, "the answer undone");
  expect((await hub().view(sure)).status).toBe("pending");
  // It is back between the others: only now they stay where they are.
  await rowOf(page, sure).waitFor();

  expect(await swipe(page, fruit, 240)).toBe("Send Pear");
  await until(async () => (await hub().desk().getDraft(fruit))?.scheduled !== undefined, "the recommendation held back");
  await rowOf(page, fruit).waitFor({ state: "detached" });

  expect(await swipe(page, may, -240)).toMatch(/^Snooze for /);
  await rowOf(page, may).waitFor({ state: "detached" });
  expect((await hub().view(may)).status).toBe("pending");
  expect(new URL(page.url()).pathname).toBe("/");
});
