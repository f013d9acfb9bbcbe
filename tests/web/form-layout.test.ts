import type { AskInput } from "@askbox/core";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { goTo, phone, wide } from "./support/browser.ts";
import { sideways } from "./support/flaws.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

async function opened(input: AskInput, options: Parameters<typeof enter>[0] = {}) {
  const id = await hub().ask(input);
  const { page } = await enter(options);
  await page.locator(`[data-session="${id}"]`).click();
  await page.locator(".question").first().waitFor();
  return { id, page };
}

const fruit = {
  id: "fruit",
  question: "Which fruit?",
  type: "select" as const,
  options: [{ label: "Apple", preview: "Like a tomato" }, { label: "Pear", preview: "Like a drop" }, "Plum"],
};
const why = { id: "why", question: "Why?", type: "text" as const, required: false };

/** Whether a text's first line starts at the left or right edge of its box. */
const side = (text: Locator) =>
  text.first().evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [line] = range.getClientRects();
    const box = element.getBoundingClientRect();
    if (line === undefined) return "nowhere";
    return Math.abs(line.right - box.right) < Math.abs(line.left - box.left) ? "right" : "left";
  });

test("a table scrolls sideways in its own box without breaking words, and keeps its alignment; right-to-left questions are aligned right, each text by its own letters", async () => {
  const columns = ["Configuration", "Requests", "Percentile", "Environment", "Recommendation"];
  const question = `Which one?\n\n|${columns.join("|")}|\n|:--|--:|:-:|---|---|\n|${columns.join("|")}|`;
  const { page } = await opened({ questions: [{ question, type: "confirm" }] }, { viewport: phone, hasTouch: true, isMobile: true });
  // Touch screens show no shortcuts.
  expect(await page.locator(".session kbd").count()).toBeGreaterThan(0);
  expect(await page.locator(".session kbd").evaluateAll((all) => all.filter((key) => key.checkVisibility()).length)).toBe(0);
  const cells = page.locator(".table-scroll td");
  expect(await cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell).textAlign))).toEqual([
    "left",
    "right",
    "center",
    "start",
    "start",
  ]);
  const lines = await cells.evaluateAll((all) =>
    all.map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    }),
  );
  expect(lines).toEqual([1, 1, 1, 1, 1]);
  const box = page.locator(".table-scroll");
  expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
  expect(await sideways(page)).toEqual([]);

  const arabic = "هل نستخدم SQLite؟";
  const { page: other } = await opened({
    title: arabic,
    questions: [
      {
        question: `${arabic}\n\nThis paragraph is English.\n\n- ${arabic}`,
        type: "select",
        options: [{ label: arabic, description: arabic }, { label: "SQLite" }],
      },
    ],
  });
  const [text, option] = [other.locator(".question-text"), other.locator(".option")];
  expect(await side(other.locator("#session-title bdi"))).toBe("right");
  expect(await side(text.locator("p").nth(0))).toBe("right");
  expect(await side(text.locator("p").nth(1))).toBe("left");
  expect(await side(text.locator("li"))).toBe("right");
  expect(await side(option.nth(0).locator(".option-label"))).toBe("right");
  expect(await side(option.nth(0).locator(".option-description .markdown"))).toBe("right");
  expect(await side(option.nth(1).locator(".option-label"))).toBe("left");
});

test("at 200 % zoom the focused field stays clear of the action bar, even as it grows; from 1100 px on the preview of the current option is next to the options", async () => {
  const { page } = await opened({ title: "Naming", questions: [why] }, { viewport: { width: 640, height: 400 } });
  const field = page.locator("textarea[data-first]");
  await until(() => field.evaluate((element) => element === document.activeElement), "the focus in the text");
  const isClear = () =>
    field.evaluate((element) => {
      const bar = document.querySelector(".actions")?.getBoundingClientRect();
      const { top, bottom } = element.getBoundingClientRect();
      return bar !== undefined && top >= 0 && bottom <= bar.top;
    });
  await until(isClear, "the field clear of the bar");
  for (let line = 0; line < 4; line += 1) {
    await page.keyboard.type(`line ${line}`);
    await page.keyboard.press("Shift+Enter");
  }
  await until(isClear, "the grown field clear of the bar");

  const id = await hub().ask({ questions: [fruit] });
  await page.setViewportSize({ ...wide, width: 1100 });
  await goTo(page, `/s/${id}`);
  const beside = page.locator(".beside-preview");
  await beside.getByText("Like a tomato").waitFor();
  const [options, preview] = [await page.locator(".beside-options").boundingBox(), await beside.boundingBox()];
  expect((preview?.x ?? 0) >= (options?.x ?? 0) + (options?.width ?? 0)).toBe(true);
  await page.keyboard.press("v");
  await beside.getByText("Like a drop").waitFor();
  expect(await page.locator("input:checked").count()).toBe(0);
  await page.locator("[data-option]").getByText("Apple").hover();
  await beside.getByText("Like a tomato").waitFor();
  await page.keyboard.press("3");
  await beside.getByText("No preview").waitFor();
  await page.setViewportSize({ ...wide, width: 1099 });
  await beside.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Preview Apple" }).waitFor();
});

const sure = { question: "Deploy now?", type: "confirm" as const };
const pick = { question: "Which fruit?", type: "select" as const, options: ["Apple", { label: "Pear", recommended: true }, "Plum"] };
const rated = { question: "How risky?", type: "rating" as const, max: 5, minLabel: "safe", maxLabel: "reckless", suggestion: 2 };

test("an open question stands where its preview stood, and a set opens at the question that was pressed there, in steps and on one page", async () => {
  const places = (within: string, page: Page) =>
    page
      .locator(`${within} :is(.question-text, .option, .scale-ends)`)
      .evaluateAll((all) => all.map((one) => Object.values(one.getBoundingClientRect().toJSON() as object).map(Math.round)));
  for (const question of [sure, pick, rated]) {
    const id = await hub().ask({ title: "About it", questions: [{ ...question, ...(question === pick && { allowOther: false }) }] });
    const { page } = await enter();
    await page.locator(`[data-peek="${id}"] .option`).first().waitFor();
    const before = await places(".peek", page);
    await page.locator(".peek .option").last().click();
    await page.locator(".question .option").first().waitFor();
    expect(await places(".question", page), question.type).toEqual(before);
    expect(await page.locator("input:checked").count()).toBe(0);
    await hub().desk().cancel(id);
  }

  const id = await hub().ask({ title: "A set", questions: [sure, { ...pick, question: "Which fruit, then?" }] });
  for (const layout of ["steps", "page"]) {
    const { page } = await enter({ own: true, settings: { layout } });
    await page.locator(`[data-peek="${id}"]`).getByText("Plum").click();
    const text = page.locator(".question .question-text", { hasText: "Which fruit, then?" });
    await until(() => text.evaluate((element) => element === document.activeElement), `the focus in the second question, ${layout}`);
    expect(await page.locator("input:checked").count()).toBe(0);
  }
});

test("the answer is sent right under a short question and above the edge of a long one; in a set, and on a phone, always at the bottom", async () => {
  const send = (page: Page) => page.getByTestId("primary").evaluate((button) => button.getBoundingClientRect().bottom);
  const { page: short } = await opened({ questions: [sure] });
  const tools = await short.locator(".question-tools").evaluate((row) => row.getBoundingClientRect().bottom);
  expect((await send(short)) - tools).toBeLessThan(100);
  const many = { ...pick, options: Array.from({ length: 30 }, (_, index) => `Fruit ${index}`) };
  const { page: long } = await opened({ questions: [many] });
  expect(await send(long)).toBeGreaterThan(wide.height - 30);
  expect(await send(long)).toBeLessThan(wide.height);
  const { page: set } = await opened({ title: "Two", questions: [sure, pick] });
  expect(await send(set)).toBeGreaterThan(wide.height - 30);
  const { page: touched } = await opened(
    { questions: [{ ...sure, question: "And now?" }] },
    { viewport: phone, hasTouch: true, isMobile: true },
  );
  expect(await send(touched)).toBeGreaterThan(phone.height - 30);
});

test("on a phone, one line says who asks, and the header how much time is left, from which more is asked for, by touch and by key", async () => {
  const id = await hub().ask(
    { questions: [sure], timeout: 120_000 },
    { project: "/home/ada/a-project-with-a-long-name", branch: "and-a-branch-with-another" },
  );
  const { page } = await enter({ viewport: phone, hasTouch: true, isMobile: true });
  await page.locator(`[data-session="${id}"]`).click();
  const question = page.locator(".question-text");
  expect(await question.evaluate((text) => text.getBoundingClientRect().top)).toBeLessThan(130);
  expect(await page.locator(".asker").evaluate((line) => line.getBoundingClientRect().height)).toBeLessThan(30);
  expect(await sideways(page)).toEqual([]);
  const left = page.locator(".header").getByRole("button", { name: "left" });
  const more = page.locator(".header").getByRole("button", { name: "+5 min" });
  const grown = (ms: number) => until(async () => ((await hub().view(id)).deadlineAt ?? 0) - hub().now() > ms, "more time");
  await left.click();
  await more.click();
  await grown(300_000);
  expect(await more.isVisible()).toBe(false);
  await page.locator("#session-title").focus();
  for (const key of ["t", "Enter", "Tab", "Enter"]) await page.keyboard.press(key);
  await grown(600_000);
  await page.locator(".header").getByRole("link", { name: "Inbox" }).click();
  await left.waitFor({ state: "detached" });
});
