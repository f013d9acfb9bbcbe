import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

async function answers(id: string, page: Page) {
  await page.getByTestId("outcome").waitFor();
  const { outcome } = await until(async () => {
    const session = await hub().view(id);
    return session.status === "pending" ? undefined : session;
  }, "the outcome at the hub");
  return outcome?.kind === "answered" ? outcome.answers.map(({ values }) => values) : outcome;
}

// promise: nothing-preselected
test("everything can be answered with keys, one question at a time, and Enter continues", async () => {
  const id = await hub().ask({
    questions: [
      { id: "r", type: "rating", question: "How good is it?", max: 10, minLabel: "poor", maxLabel: "great", suggestion: 7 },
      { id: "n", type: "number", question: "How many workers?", min: 1, max: 64, integer: true, unit: "workers", suggestion: 8 },
      { id: "d", type: "date", question: "When is the freeze?", min: "2026-01-30", max: "2026-12-31", suggestion: "2026-03-31" },
      { id: "m", type: "text", question: "Whom to tell?", format: "email", placeholder: "ada@example.com" },
    ],
  });
  const { page } = await enter();
  await page.locator(`[data-session="${id}"]`).click();
  await page.locator(".question").first().waitFor();
  expect(await page.locator("input:checked").count()).toBe(0);
  await page.getByRole("radio", { name: "1 poor" }).click();
  await page.keyboard.press("ArrowRight");
  await until(() => page.getByRole("radio", { name: "2", exact: true }).isChecked(), "the next step by an arrow");
  await page.keyboard.press("0");
  await until(() => page.getByRole("radio", { name: "10 great" }).isChecked(), "the tenth step by 0");
  await page.keyboard.press("Enter");
  const field = (name: string) => page.getByRole("textbox", { name });
  await field("How many workers?").focus();
  await page.keyboard.type("007");
  await page.keyboard.press("Enter");
  await until(() => field("When is the freeze?").evaluate((input) => input === document.activeElement), "the focus in the date");
  await page.keyboard.press("ArrowUp");
  await until(async () => /^\d{4}-\d{2}-\d{2}$/.test(await field("When is the freeze?").inputValue()), "a day to begin with");
  await field("When is the freeze?").fill("2026-03-31");
  await page.keyboard.press("PageUp");
  expect(await field("When is the freeze?").inputValue()).toBe("2026-04-30");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  expect(await field("When is the freeze?").inputValue()).toBe("2026-05-01");
  await page.keyboard.press("Enter");
  await until(() => field("Whom to tell?").evaluate((input) => input === document.activeElement), "the focus in the address");
  await page.keyboard.type("ada@example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Review" }).waitFor();
  expect(await page.locator(".answers dd").allInnerTexts()).toEqual(["10", "7 workers", "2026-05-01", "ada@example.com"]);
  await page.keyboard.press("Control+Enter");
  expect(await answers(id, page)).toEqual([["10"], ["7"], ["2026-05-01"], ["ada@example.com"]]);
});
