import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { violations } from "./support/flaws.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

async function asked(count: number, timeout = 600_000): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const questions = [{ id: "q", question: `Delete file ${index}?`, type: "confirm" as const }];
    ids.push(await hub().ask({ questions, timeout: timeout + index * 10_000 }));
  }
  return ids;
}
const rows = (page: Page, count: number) => until(async () => (await page.locator(".row").count()) === count, `${count} rows`);

test("questions are selected with x or the pointer and declined together with one reason; u undoes that, also after the page was left; a snoozed one is hidden for a time, across a reload, and returns by itself or with u", async () => {
  const ids = await asked(4);
  const { page } = await enter({ clock: true, settings: { undoSeconds: 60 } });
  await rows(page, 4);
  await page.getByRole("button", { name: "Order and view" }).click();
  await page.getByRole("button", { name: "Select several" }).click();
  await page.getByRole("checkbox", { name: "Select Delete file 1?" }).check();
  await page.getByText("1 selected").waitFor();
  await page.getByRole("button", { name: "All", exact: true }).click();
  await page.getByText("4 selected").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("4 selected").waitFor({ state: "detached" });
  expect(await page.getByRole("checkbox").count()).toBe(0);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());

  await page.locator("[data-session]").first().focus();
  for (const key of ["x", "j", "x", "j", "x", "x"]) await page.keyboard.press(key);
  await page.getByText("2 selected").waitFor();
  expect(await violations(page)).toEqual([]);
  const decline = async (typed: string) => {
    await page.keyboard.press("d");
    await page.getByRole("dialog", { name: "Decline 2 questions?" }).waitFor();
    await page.keyboard.type(typed);
    expect(await page.getByRole("textbox", { name: "Reason (optional)" }).inputValue()).toBe("not today");
    await page.getByRole("button", { name: "Decline 2 questions" }).click();
    await rows(page, 2);
    await page.getByText("Declined 2 questions").waitFor();
    for (const id of ids) expect((await hub().view(id)).status).toBe("pending");
  };
  await decline("not today");
  await page.keyboard.press("u");
  await rows(page, 4);
  await page.getByText(/^Declines/).waitFor({ state: "detached" });

  await page.locator("[data-session]").first().focus();
  for (const key of ["x", "j", "x"]) await page.keyboard.press(key);
  // The reason was kept.
  await decline("");
  // The hub holds them back, whatever page is shown.
  await page.keyboard.press("h");
  await page.getByRole("heading", { name: "History" }).waitFor();
  const heldFor = async (id: string) => (await hub().desk().getDraft(id))?.scheduled;
  for (const id of ids.slice(0, 2)) {
    await until(async () => (await heldFor(id)) !== undefined, "the decline to be held back");
    expect(await heldFor(id)).toMatchObject({ decline: { reason: "not today" }, by: { surface: "web" } });
  }
  for (const id of ids.slice(2)) expect(await heldFor(id)).toBeUndefined();
  await page.goto(`${hub().url}/`);
  await rows(page, 4);
  for (const id of ids.slice(0, 2)) await hub().desk().recall(id);
  for (const id of ids) await hub().desk().cancel(id);

  const [first = ""] = await asked(2, 1_200_000);
  await page.goto(`${hub().url}/`);
  await rows(page, 2);
  await page.keyboard.press("z");
  await page.getByRole("dialog", { name: /^Snooze “.*Delete file 0\?/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  // Twenty minutes allow fifteen, but not an hour.
  expect(await page.locator(".snooze-choices button").allInnerTexts()).toEqual([
    "For 5 min",
    "For 15 min",
    expect.stringMatching(/^Until shortly before the deadline, for 1[78] min$/),
  ]);
  await page.getByRole("button", { name: "For 5 min" }).click();
  await rows(page, 1);
  await until(async () => (await page.title()) === "(1) askbox", "the count without it");
  await page.reload();
  await rows(page, 1);
  await page.getByRole("button", { name: "Snoozed (1)" }).click();
  await rows(page, 2);
  await page.getByRole("button", { name: "Snoozed (1)" }).click();
  await rows(page, 1);
  await page.clock.fastForward(301_000);
  await rows(page, 2);
  await until(async () => (await page.getByTestId("arrivals").textContent()) === "Back from snooze: Delete file 0?", "it is said");
  expect(await page.locator(`[data-session="${first}"]`).count()).toBe(1);

  await page.locator("[data-session]").first().focus();
  const untilShortlyBefore = async () => {
    await page.keyboard.press("z");
    await page.getByRole("button", { name: /^Until shortly before/ }).click();
    await page
      .getByTestId("toast")
      .getByText(/^Snoozed until/)
      .waitFor();
    await rows(page, 1);
  };
  await untilShortlyBefore();
  await page.keyboard.press("u");
  await rows(page, 2);
  await page.locator("[data-session]").first().focus();
  await untilShortlyBefore();
  // Five of the twenty minutes have passed; it returns two minutes before their end.
  await page.clock.fastForward(700_000);
  await rows(page, 1);
  await page.clock.fastForward(90_000);
  await rows(page, 2);
});

test("a reason that was typed is kept through Esc, undo and a reload, of one question and of several; after each, the focus is on the row under the cursor, and rows move up at their leisure", async () => {
  const ids = await asked(4);
  const { page } = await enter({ own: true, reducedMotion: "no-preference", settings: { undoSeconds: 60 } });
  await rows(page, 4);
  const isAt = (index: number) =>
    until(async () => {
      const [focused, previewed] = await page.evaluate(() => [
        document.activeElement?.getAttribute("data-session"),
        document.querySelector("[data-peek]")?.getAttribute("data-peek"),
      ]);
      return focused === ids[index] && previewed === ids[index];
    }, `the focus and the preview on row ${index}`);
  const reason = page.getByRole("textbox", { name: "Reason (optional)" });
  const says = async (text: string) => {
    await reason.waitFor();
    expect(await reason.inputValue()).toBe(text);
  };
  await isAt(0);
  await page.keyboard.press("j");
  await isAt(1);
  await page.keyboard.press("d");
  await page.getByRole("dialog", { name: /Decline .*Delete file 1\?/ }).waitFor();
  await says("");
  await page.keyboard.type("ask Ada");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("or Bo");
  await page.keyboard.press("Escape");
  await reason.waitFor({ state: "detached" });
  await isAt(1);
  await page.reload();
  await rows(page, 4);
  await isAt(0);
  await page.keyboard.press("j");
  await page.keyboard.press("d");
  await says("ask Ada\nor Bo");
  await page.evaluate(() => {
    const moved: unknown[] = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
      moved.push(this.textContent?.match(/Delete file \d/)?.[0], Object(options).duration);
      return animate.call(this, frames, options);
    };
    Object.assign(globalThis, { moved });
  });
  await page.keyboard.press("Enter");
  await rows(page, 3);
  await isAt(2);
  expect(await page.evaluate(() => (globalThis as unknown as { moved: unknown[] }).moved)).toEqual([
    "Delete file 2",
    120,
    "Delete file 3",
    120,
  ]);
  await page.getByRole("button", { name: "Undo" }).click();
  await rows(page, 4);
  await isAt(1);
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+J");
  await page.keyboard.press("d");
  await page.getByRole("dialog", { name: "Decline 2 questions?" }).waitFor();
  await says("ask Ada\nor Bo");
  await page.keyboard.press("Control+Enter");
  await rows(page, 2);
  await isAt(3);
  await page.keyboard.press("u");
  await rows(page, 4);
  await page.keyboard.press("Shift+G");
  await isAt(3);
  await page.keyboard.press("k");
  await page.keyboard.press("d");
  await says("ask Ada\nor Bo");
});
