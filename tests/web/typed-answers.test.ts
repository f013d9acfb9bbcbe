import type { AskInput } from "@askbox/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { flaws } from "./support/looks.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const typed: AskInput = {
  title: "A release",
  questions: [
    { id: "n", type: "number", question: "How many workers?", min: 1, max: 64, integer: true, unit: "workers", suggestion: 8 },
    { id: "d", type: "date", question: "When is the freeze?", min: "2026-01-30", max: "2026-12-31", suggestion: "2026-03-31" },
    { id: "m", type: "text", question: "Whom to tell?", format: "email", placeholder: "ada@example.com" },
    { id: "u", type: "text", question: "Where is the plan?", format: "url", required: false },
    { id: "t", type: "text", question: "When exactly?", format: "date-time", required: false },
    { id: "s", type: "text", question: "What is it called?", minLength: 2, maxLength: 20, suggestion: "lathe" },
    { id: "c", type: "multi-select", question: "Which two?", options: ["a", "b", "c"], minChoices: 2, maxChoices: 2, allowOther: false },
    { id: "y", type: "confirm", question: "Sure?", suggestion: "no" },
  ],
};

async function opened(input: AskInput, options: Parameters<typeof enter>[0] = { settings: { layout: "page" } }) {
  const id = await hub().ask(input);
  const { page } = await enter(options);
  await page.locator(`[data-session="${id}"]`).click();
  await page.locator(".question").first().waitFor();
  const error = (question: string) => page.locator(`[data-question="${question}"] .error`);
  return { id, page, error, send: page.getByTestId("primary") };
}

async function answers(id: string, page: Page) {
  await page.getByTestId("outcome").waitFor();
  const { outcome } = await until(async () => {
    const session = await hub().view(id);
    return session.status === "pending" ? undefined : session;
  }, "the outcome at the hub");
  return outcome?.kind === "answered" ? outcome.answers.map(({ values }) => values) : outcome;
}

// promise: nothing-preselected, question-text-inert
test("nothing is prefilled, errors appear once a field was left, and every field with its error is accessible and fits", async () => {
  const size = { type: "number" as const, question: "And?", unit: "megabytes".repeat(12), suggestion: 12.5 };
  const labels = { minLabel: "poor".repeat(20), maxLabel: "great" };
  const rating = { id: "r", type: "rating" as const, question: "How good is it?", max: 10, ...labels, suggestion: 7 };
  const { page, error, send } = await opened({ ...typed, questions: [...typed.questions, size, rating] });
  expect(await flaws(page, "typed")).toEqual([]);
  for (const field of await page.getByRole("textbox").all()) expect(await field.inputValue()).toBe("");
  expect(await page.locator("input:checked").count()).toBe(0);
  const number = page.getByRole("textbox", { name: "How many workers?" });
  await number.fill("1,5");
  expect(await error("n").textContent()).toBe("");
  const day = page.getByRole("textbox", { name: "When is the freeze?" });
  await day.fill("2026-02-30");
  await error("n").getByText("Use only digits").waitFor();
  await number.fill("65");
  await error("n").getByText("Must be at most 64.").waitFor();
  await error("d").getByText("Enter a date as").waitFor();
  await day.fill("2027-01-01");
  await error("d").getByText("Must be 2026-12-31 or earlier.").waitFor();
  for (const [name, id] of [
    ["Whom to tell?", "m"],
    ["Where is the plan?", "u"],
    ["When exactly?", "t"],
    ["What is it called?", "s"],
  ] as const) {
    await page.getByRole("textbox", { name }).fill("x");
    await page.getByRole("textbox", { name }).press("Tab");
    await until(async () => (await error(id).textContent()) !== "", `an error at ${name}`);
    expect(await page.getByRole("textbox", { name }).getAttribute("aria-invalid")).toBe("true");
  }
  await send.click();
  await page.locator(".question .error").getByText("Please answer").first().waitFor();
  expect(await flaws(page, "typed with errors")).toEqual([]);
});

test("everything can be answered with clicks: suggestions by their buttons, the date in the calendar's input", async () => {
  const { id, page, send } = await opened(typed);
  await page.getByRole("button", { name: /^Use “\u20688\u2069”$/ }).click();
  await page.getByRole("button", { name: /2026-03-31/ }).click();
  expect(await page.getByRole("textbox", { name: "When is the freeze?" }).inputValue()).toBe("2026-03-31");
  await page.getByRole("button", { name: "Choose in a calendar" }).click();
  await page.locator(".calendar > input").evaluate((input) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, "2026-05-01");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await until(
    async () => (await page.getByRole("textbox", { name: "When is the freeze?" }).inputValue()) === "2026-05-01",
    "the day chosen",
  );
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Whom to tell?" }).fill(" ada@example.com ");
  await page.getByRole("button", { name: /^Use .*lathe/ }).click();
  await page.getByRole("checkbox", { name: "a" }).check();
  await send.click();
  await page.getByText("Choose at least 2.").waitFor();
  await page.getByRole("checkbox", { name: "c" }).check();
  await page.getByRole("button", { name: "Use recommended" }).click();
  await send.click();
  expect(await answers(id, page)).toEqual([["8"], ["2026-05-01"], ["ada@example.com"], [], [], ["lathe"], ["a", "c"], ["no"]]);
});

// promise: nothing-preselected
test("everything can be answered with keys, one question at a time, and Enter continues", async () => {
  const rating = {
    id: "r",
    type: "rating" as const,
    question: "How good is it?",
    max: 10,
    minLabel: "poor",
    maxLabel: "great",
    suggestion: 7,
  };
  const { id, page } = await opened({ questions: [rating, ...typed.questions.slice(0, 3)] }, {});
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
