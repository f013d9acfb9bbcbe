import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fourFields } from "../requirements/requirement.ts";
import { flaws } from "./support/flaws.ts";
import { stdioAgent } from "./support/stdio-agent.ts";
import { until } from "./support/until.ts";

const { ask, opened: openedOf } = stdioAgent();

/** An agent asks over stdio; resolves with what the person sees, and with the agent's result. */
async function asked(more: object = {}): Promise<{ id: string; values: Promise<unknown> }> {
  const options = ["Speed", { label: "Price", value: "price", description: "A month" }, "Size"];
  const { id, call } = await ask({ questions: [{ id: "q", question: "What first?", type: "ranking", options }], ...more });
  return { id, values: call.then((result) => (fourFields(result).answers as { values: string[] }[]).map(({ values }) => values)) };
}

async function opened(id: string, options?: Parameters<typeof openedOf>[1]): Promise<Page> {
  const page = await openedOf(id, options);
  await page.getByText("All options in order, best first").waitFor();
  return page;
}

const shown = (page: Page) => page.locator(".rank .option-label > span").allInnerTexts();
const isShown = (page: Page, ...labels: string[]) => until(async () => String(await shown(page)) === String(labels), labels.join());

// promise: nothing-preselected
test("a ranking is accessible, fits, and is answered by keys and by dragging; the initial order is no answer until it is confirmed", async () => {
  const { id, values } = await asked();
  const page = await opened(id);
  expect(await flaws(page, "ranking")).toEqual([]);
  await page.keyboard.press("2");
  await page.keyboard.press("Control+Enter");
  await page.locator(".error").getByText("Please answer").waitFor();
  await page.getByRole("button", { name: "Keep this order" }).click();
  await page.getByRole("button", { name: /Speed.*, 1 of 3/ }).focus();
  await page.keyboard.press("ArrowDown");
  await isShown(page, "Price", "Speed", "Size");
  await page.keyboard.press("3");
  await isShown(page, "Price", "Size", "Speed");
  await page.getByText("Speed\u2069 is now 3 of 3").waitFor();
  await page.getByRole("button", { name: /^Move .*Size.* up$/ }).press("Enter");
  await isShown(page, "Size", "Price", "Speed");

  // The focus follows in the next frame, and may scroll.
  await page.locator(".rank").first().locator(".handle:focus").waitFor();
  await page.locator(".handle").nth(2).hover();
  await page.mouse.down();
  await page.locator(".rank[data-dragged][data-option=Speed]").waitFor();
  const end = await page.locator(".handle").first().boundingBox();
  if (end === null) throw new Error("A row is not on the page.");
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
  await isShown(page, "Speed", "Size", "Price");
  await page.mouse.up();
  expect(await flaws(page, "ranking moved")).toEqual([]);
  await page.getByTestId("primary").click();
  expect(await values).toEqual([["Speed", "Size", "price"]]);
});
