import type { AskInput } from "@askbox/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { show } from "./support/browser.ts";
import { flaws } from "./support/flaws.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const path = (url: string) => new URL(url).pathname;

/** Resolves when something has the focus. What keeps it from falling to the page is loaded after the list, and gives it to the list at first. */
const hasFocus = (page: Page) =>
  until(() => page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body), "the focus on something");

async function opened(input: AskInput, options: Parameters<typeof enter>[0] = {}) {
  const id = await hub().ask(input);
  const { page } = await enter(options);
  await hasFocus(page);
  await page.locator(`[data-session="${id}"]`).click();
  await page.locator(".question").first().waitFor();
  const focus = () => page.evaluate(() => document.activeElement?.tagName ?? "");
  return { id, page, focus };
}

const sure = { id: "sure", question: "Delete it?", type: "confirm" as const };
const name = { id: "name", question: "What is it called?", type: "text" as const, suggestion: "a mill" };
const fruit = { id: "fruit", question: "Which?", type: "select" as const, options: [{ label: "Apple", preview: "Like a tomato" }, "Pear"] };

test("j and k move along the list, or between questions while one is open; p goes back one question, d declines, Escape returns to the inbox", async () => {
  const ids: string[] = [];
  for (const title of ["First", "Second"]) {
    const options = Array.from({ length: 10 }, (_, index) => `Option ${index + 1}`);
    ids.push(await hub().ask({ title, questions: [{ id: "a", question: "Which of ten?", type: "select", options }, sure] }));
  }
  const { page } = await enter();
  await until(async () => (await page.locator(".row").count()) === 2, "both rows");
  // Nothing opens automatically, so it doesn't count as seen.
  expect(path(page.url())).toBe("/");
  expect((await hub().view(ids[0] ?? "")).presence.openIn).toEqual([]);

  const shown = await page.locator("[data-session]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-session")));
  const isOpen = (index: number) => until(async () => path(page.url()) === `/s/${shown[index]}`, `row ${index}`);
  const isUnder = (index: number) =>
    until(
      async () => (await page.evaluate(() => document.activeElement?.getAttribute("data-session"))) === shown[index],
      `the cursor on ${index}`,
    );
  await isUnder(0);
  await page.keyboard.press("j");
  await isUnder(1);
  // Moving the cursor opens nothing.
  expect(path(page.url())).toBe("/");
  await page.keyboard.press("Enter");
  await isOpen(1);
  await page.keyboard.press("k");
  await isOpen(0);
  const tenth = page.getByRole("radio", { name: "Option 10", exact: true });
  await page.getByRole("heading", { name: shown[0] === ids[0] ? "First" : "Second" }).waitFor();
  await tenth.waitFor();
  await page.keyboard.press("Enter");
  // Enter skips no question.
  await page.getByText("Please answer this question.").waitFor();
  await page.keyboard.press("0");
  await until(() => tenth.isChecked(), "the tenth option is picked");
  await page.keyboard.press("Enter");
  await page.getByText("Delete it?").first().waitFor();
  await page.keyboard.press("p");
  await tenth.waitFor();
  await page.keyboard.press("d");
  await page.getByRole("dialog").getByRole("textbox", { name: "Reason (optional)" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect((await hub().view(shown[0] ?? "")).status).toBe("pending");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await isOpen(0);
  await page.keyboard.press("Escape");
  await until(async () => path(page.url()) === "/", "the inbox");
});

test("a text has the focus, even after a click next to it, until it is being sent, and again when that is undone", async () => {
  await hub().ask({ title: "Another", questions: [sure] });
  const { id, page, focus } = await opened({ title: "A text", questions: [name] }, { settings: { undoSeconds: 60, opensNext: false } });
  const field = page.getByRole("textbox", { name: "What is it called?" });
  await until(async () => (await focus()) === "TEXTAREA", "the focus in the text");
  await page.keyboard.press("Alt+r");
  await until(async () => (await field.inputValue()) === "a mill", "the suggestion");
  await field.fill("");
  await page.keyboard.type("Plain, ");
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.type("next xdnjk");
  expect(await field.inputValue()).toBe("Plain, next xdnjk");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(path(page.url())).toBe(`/s/${id}`);
  await page.keyboard.press("Control+Enter");
  await page.getByTestId("undo").waitFor();
  await until(async () => (await page.evaluate(() => document.activeElement?.id)) === "session-title", "the focus at the title");
  await page.keyboard.press("u");
  await until(async () => (await focus()) === "TEXTAREA", "the focus in the text again");
  expect(await field.inputValue()).toBe("Plain, next xdnjk");
  await page.keyboard.press("Control+Enter");
  await page.getByTestId("next-session").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Another" }).waitFor();
});

test("the focus never falls to the page, and j passes a text without typing into it", async () => {
  // By deadline, which questions of the same millisecond would share.
  for (const [title, question, timeout] of [
    ["A text", name, 300_000],
    ["Another text", name, 310_000],
    ["A choice", fruit, 320_000],
  ] as const)
    await hub().ask({ title, questions: [question], timeout });
  const { page } = await enter({ settings: { undoSeconds: 0 }, clock: true });
  await page.locator(".row").nth(2).waitFor();
  const tag = () => page.evaluate(() => document.activeElement?.tagName);
  const isKept = (after: string) => until(async () => (await tag()) !== "BODY", `the focus after ${after}`);
  const heading = (title: string) => page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
  await isKept("the start");
  await page.mouse.click(1_270, 780);
  await isKept("a click beside everything");
  await page.locator(".row", { hasText: "A text" }).first().click();
  await heading("A text");
  await until(async () => (await tag()) === "TEXTAREA", "the focus in the text");
  await page.locator(".asker").click();
  await until(async () => (await tag()) === "TEXTAREA", "the focus in the text after a click beside it");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await heading("Another text");
  await page.keyboard.press("j");
  await heading("A choice");
  await page.keyboard.press("k");
  await heading("Another text");
  expect(await page.locator("textarea").inputValue()).toBe("");
  // Enter says that there is no answer yet, and goes to the field.
  await page.keyboard.press("Enter");
  await until(async () => (await tag()) === "TEXTAREA", "the focus in the text after Enter");
  await page.keyboard.type("a lathe");
  await page.keyboard.press("Enter");
  await until(
    async () =>
      (
        await hub()
          .desk()
          .list({ statuses: ["answered"] })
      ).items.length === 1,
    "the answer",
  );
  await isKept("an answer");
  await heading("A text");
  await page.getByRole("button", { name: "Decline…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await heading("A choice");
  await isKept("a decline");
  // Until then, it may still be meant for the question before.
  await page.clock.fastForward(400);
  await page.keyboard.press("ArrowDown");
  const isOnFirst = () => page.getByRole("radio", { name: "Apple" }).evaluate((radio) => radio === document.activeElement);
  await until(isOnFirst, "the first option");
  expect(await page.getByRole("radio", { name: "Apple" }).isChecked()).toBe(false);
  await page.keyboard.press("Escape");
  await isKept("the way back");
});

test("v shows and hides previews, m adds a note, and a question starts at its top, from where a digit scrolls to its option", async () => {
  const long = Array.from({ length: 80 }, (_, line) => `Line ${line}`).join("\n\n");
  const many = Array.from({ length: 9 }, (_, index) => ({ label: `Option ${index}`, description: "word ".repeat(200) }));
  const second = await hub().ask({ title: "Second", questions: [{ ...fruit, question: long, options: many }] });
  const { page } = await opened({ title: "First", questions: [{ ...fruit, question: long }] }, { viewport: { width: 1_000, height: 800 } });
  await page.keyboard.press("v");
  await page.getByText("Like a tomato").waitFor();
  await page.keyboard.press("v");
  await page.getByText("Like a tomato").waitFor({ state: "detached" });
  await page.keyboard.press("m");
  await page.keyboard.type("ripe");
  expect(await page.getByRole("textbox", { name: "Note on this question" }).inputValue()).toBe("ripe");
  const top = () => page.locator(".detail").evaluate((pane) => pane.scrollTop);
  await until(async () => (await top()) > 0, "the first question scrolled");
  // Narrower than two panes, the list is a page of its own; the scrolled question stays behind.
  await show(page, `/s/${second}`);
  await page.getByRole("heading", { level: 1, name: "Second" }).waitFor();
  await until(async () => (await top()) === 0, "the top of the second question");
  const picked = page.getByRole("radio", { name: "Option 7" });
  const isInSight = () =>
    picked.evaluate((radio) => {
      const { top, left } = radio.getBoundingClientRect();
      return radio.contains(document.elementFromPoint(left + 2, top + 2));
    });
  expect(await isInSight()).toBe(false);
  await page.keyboard.press("8");
  await until(() => picked.isChecked(), "the option is picked");
  // Clear of the action bar.
  await until(isInSight, "the option in sight");
});

test("the help begins with what works here, has each key once, fits the screen, and is narrowed by words", async () => {
  await hub().ask({ title: "A choice", questions: [fruit] });
  const { page } = await enter();
  await page.locator(".row").waitFor();
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const sections = async () => {
    await page.keyboard.press("?");
    await help.waitFor();
    return help.locator(".keys").evaluateAll((all) =>
      all.map((section) => ({
        title: section.querySelector("h3")?.textContent,
        keys: [...section.querySelectorAll("kbd")].map(({ textContent }) => textContent),
      })),
    );
  };
  const inList = await sections();
  expect(inList[0]).toMatchObject({ title: "Here", keys: expect.arrayContaining(["j", "k", "Enter", "z", "x", "d"]) });
  expect(inList.map(({ title }) => title)).not.toContain("In the list");
  expect(inList.flatMap(({ keys }) => keys)).not.toContain("A");
  const fits = () => help.evaluate((dialog) => dialog.scrollHeight <= dialog.clientHeight);
  expect(await fits()).toBe(true);
  const lines = await help.locator("kbd").evaluateAll((all) => all.map((key) => key.getClientRects().length));
  expect(new Set(lines)).toEqual(new Set([1]));
  expect(await flaws(page, "help")).toEqual([]);
  await page.keyboard.type("snooze");
  await expect
    .poll(() => help.locator("dd").allTextContents())
    .toEqual(["Snooze: put the question off for a while", expect.stringContaining("Select the question")]);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });

  await page.locator(".row").click();
  await page.getByRole("radio", { name: "Apple" }).waitFor();
  const inQuestion = await sections();
  expect(inQuestion[0]).toMatchObject({ title: "Here", keys: expect.arrayContaining(["1–9", "v", "m", "d", "Esc"]) });
  expect(inQuestion.map(({ title }) => title)).toContain("In the list");
  expect(await fits()).toBe(true);
});
