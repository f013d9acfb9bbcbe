import type { AskInput } from "@askbox/core";
import { expect, test } from "vitest";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const path = (url: string) => new URL(url).pathname;

async function opened(input: AskInput, options: Parameters<typeof enter>[0] = {}) {
  const id = await hub().ask(input);
  const { page } = await enter(options);
  await page.locator(`[data-session="${id}"]`).click();
  await page.locator(".question").first().waitFor();
  const focus = () => page.evaluate(() => document.activeElement?.tagName ?? "");
  return { id, page, focus };
}

const sure = { id: "sure", question: "Delete it?", type: "confirm" as const };
const name = { id: "name", question: "What is it called?", type: "text" as const };
const fruit = { id: "fruit", question: "Which?", type: "select" as const, options: [{ label: "Apple", preview: "Like a tomato" }, "Pear"] };

test("y and n answer a yes-or-no question and open no other", async () => {
  await hub().ask({ title: "Another", questions: [sure] });
  const { id, page } = await opened({ title: "This one", questions: [sure] });
  await page.keyboard.press("n");
  await until(() => page.getByRole("radio", { name: "No" }).isChecked(), "no is picked");
  await page.keyboard.press("y");
  await until(() => page.getByRole("radio", { name: "Yes" }).isChecked(), "yes is picked");
  expect(path(page.url())).toBe(`/s/${id}`);
});

test("the text field has the focus, so that letters are text, even after a click next to it", async () => {
  const { id, page, focus } = await opened({ title: "A text", questions: [name] });
  await hub().ask({ title: "Another", questions: [sure] });
  await until(async () => (await focus()) === "TEXTAREA", "the focus in the text");
  await page.keyboard.type("Plain, ");
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  expect(await focus()).toBe("BODY");
  await page.keyboard.type("next xdnjk");
  expect(await page.getByRole("textbox", { name: "What is it called?" }).inputValue()).toBe("Plain, next xdnjk");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(path(page.url())).toBe(`/s/${id}`);
});

test("the focus stays with the question while it is sent and when it is undone", async () => {
  const { page, focus } = await opened({ title: "A text", questions: [name] }, { settings: { undoSeconds: 60 } });
  await until(async () => (await focus()) === "TEXTAREA", "the focus in the text");
  await page.keyboard.type("lathe");
  await page.keyboard.press("Control+Enter");
  await page.getByTestId("undo").waitFor();
  await until(async () => (await page.evaluate(() => document.activeElement?.id)) === "session-title", "the focus at the title");
  await page.keyboard.press("u");
  await until(async () => (await focus()) === "TEXTAREA", "the focus in the text again");
  expect(await page.getByRole("textbox", { name: "What is it called?" }).inputValue()).toBe("lathe");
});

test("Enter skips no question of a set; l and p move between them", async () => {
  const { page } = await opened({ title: "A set", questions: [fruit, sure] });
  await page.keyboard.press("v");
  await page.getByText("Like a tomato").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Please answer this question.").waitFor();
  // The question is unchanged, including previews.
  expect(await page.getByText("Like a tomato").isVisible()).toBe(true);
  await page.keyboard.press("l");
  await page.getByText("Delete it?").first().waitFor();
  await page.keyboard.press("p");
  await page.getByText("Which?").first().waitFor();
  await page.keyboard.press("2");
  await page.keyboard.press("Enter");
  await page.getByText("Delete it?").first().waitFor();
});

test.each(["Enter", "Control+Enter"])("%s goes to the next question from one that is being sent", async (key) => {
  const next = await hub().ask({ title: "The next", questions: [sure] });
  const { page } = await opened({ title: "The first", questions: [sure] }, { settings: { opensNext: false } });
  await page.keyboard.press("y");
  await page.keyboard.press("Enter");
  await page.getByTestId("next-session").waitFor();
  await page.keyboard.press(key);
  await until(async () => path(page.url()) === `/s/${next}`, "the next question");
});

test("v shows and hides previews, m adds a note, d declines", async () => {
  const { page } = await opened({ questions: [fruit] }, { viewport: { width: 1_000, height: 800 } });
  await page.keyboard.press("v");
  await page.getByText("Like a tomato").waitFor();
  await page.keyboard.press("v");
  await page.getByText("Like a tomato").waitFor({ state: "detached" });
  await page.keyboard.press("m");
  await page.keyboard.type("ripe");
  expect(await page.getByRole("textbox", { name: "Note on this question" }).inputValue()).toBe("ripe");
  await page.keyboard.press("Escape");
  await page.keyboard.press("d");
  await page.getByRole("dialog").getByRole("textbox").waitFor();
});

test("Alt r uses a suggestion while the text field has the focus", async () => {
  const { page, focus } = await opened({ questions: [{ ...name, suggestion: "lathe" }] });
  await until(async () => (await focus()) === "TEXTAREA", "the focus in the text");
  await page.keyboard.press("Alt+r");
  await until(async () => (await page.getByRole("textbox").first().inputValue()) === "lathe", "the suggestion");
});

test("a question starts at its top, wherever the previous one was left", async () => {
  const long = { ...fruit, question: Array.from({ length: 80 }, (_, line) => `Line ${line}`).join("\n\n") };
  const first = await hub().ask({ title: "First", questions: [long] });
  const second = await hub().ask({ title: "Second", questions: [long] });
  const { page } = await enter();
  await page.locator(`[data-session="${first}"]`).click();
  await page.getByRole("radio", { name: "Pear" }).scrollIntoViewIfNeeded();
  const top = () => page.locator(".detail").evaluate((pane) => pane.scrollTop);
  await until(async () => (await top()) > 0, "the first question scrolled");
  await page.locator(`[data-session="${second}"]`).click();
  await page.getByRole("heading", { level: 1, name: "Second" }).waitFor();
  await until(async () => (await top()) === 0, "the top of the second question");
});

test("a digit for an option out of view scrolls to it, clear of the action bar", async () => {
  const options = Array.from({ length: 9 }, (_, index) => ({ label: `Option ${index}`, description: "word ".repeat(200) }));
  const { page } = await opened({ title: "Many", questions: [{ ...fruit, options }] });
  const picked = page.getByRole("radio", { name: "Option 7" });
  const isInSight = () =>
    picked.evaluate((radio) => {
      const { top, left } = radio.getBoundingClientRect();
      return radio.contains(document.elementFromPoint(left + 2, top + 2));
    });
  expect(await isInSight()).toBe(false);
  await page.keyboard.press("8");
  await until(() => picked.isChecked(), "the option is picked");
  await until(isInSight, "the option in sight");
});
