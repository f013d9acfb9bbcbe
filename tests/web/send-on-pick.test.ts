import type { AskInput } from "@askbox/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const path = (page: Page) => new URL(page.url()).pathname;
const sure = { id: "sure", question: "Delete it?", type: "confirm" as const };
const fruit = { id: "fruit", question: "Which fruit?", type: "select" as const, options: ["Apple", "Pear", "Plum"] };
const size = { id: "size", question: "How big?", type: "rating" as const, max: 5 };
const sendsOnPick = { undoSeconds: 60, sendOnPick: true };

async function opened(input: AskInput, settings: Record<string, unknown> = sendsOnPick) {
  const id = await hub().ask(input);
  const { page } = await enter({ settings });
  await page.locator(`[data-session="${id}"]`).click();
  await page.locator(".question").first().waitFor();
  return { id, page };
}

const scheduledValues = async (id: string) => {
  const draft = await hub().desk().getDraft(id);
  return draft?.scheduled === undefined ? undefined : draft.fields;
};

test("a pick sends nothing unless this is enabled", async () => {
  const { id, page } = await opened({ questions: [fruit] }, {});
  await page.keyboard.press("2");
  await until(() => page.getByRole("radio", { name: "Pear" }).isChecked(), "the pick");
  await page.getByRole("radio", { name: "Plum" }).click();
  expect(await page.getByTestId("primary").isEnabled()).toBe(true);
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByLabel("Send on pick").check();
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "Apple" }).click();
  await until(async () => (await scheduledValues(id)) !== undefined, "the answer held back");
  hub().skip(3_000);
  await until(async () => (await hub().view(id)).status === "answered", "the answer");
  expect((await hub().view(id)).outcome).toMatchObject({ answers: [{ values: ["Apple"] }] });
});

for (const [way, pick] of [
  ["a digit", (page: Page) => page.keyboard.press("2")],
  ["a click", (page: Page) => page.getByText("Pear").click()],
] as const) {
  test(`with send on pick ${way} sends, and the answer can be undone`, async () => {
    const { id, page } = await opened({ questions: [fruit] });
    await pick(page);
    await page.getByTestId("undo").waitFor();
    await until(async () => (await scheduledValues(id))?.["fruit"]?.values?.[0] === "Pear", "the answer held back");
    await page.keyboard.press("u");
    await page.getByTestId("primary").waitFor();
    expect((await hub().view(id)).status).toBe("pending");
    expect(await scheduledValues(id)).toBe(undefined);
  });
}

for (const [way, pick] of [
  ["a digit", (page: Page) => page.keyboard.press("2")],
  ["a click", (page: Page) => page.locator(".row-card").getByText("Pear").click()],
] as const) {
  test(`with send on pick ${way} also sends in the row, and an arrow key does not`, async () => {
    const id = await hub().ask({ questions: [fruit] });
    const { page } = await enter({ settings: sendsOnPick });
    await page.getByRole("button", { name: "Answer here" }).click();
    await page.locator(".row-card").getByRole("radio", { name: "Apple" }).focus();
    await page.keyboard.press("ArrowUp");
    await until(() => page.getByRole("radio", { name: "Other" }).isChecked(), "the pick by an arrow");
    expect(await scheduledValues(id)).toBe(undefined);
    await page.locator(".row-card").getByRole("radio", { name: "Plum" }).focus();
    await pick(page);
    await until(async () => (await scheduledValues(id))?.["fruit"]?.values?.[0] === "Pear", "the answer held back");
  });
}

test("an answer sent by a pick can be undone for 3 seconds even if others cannot", async () => {
  const { id, page } = await opened({ questions: [sure] }, { undoSeconds: 0, sendOnPick: true });
  const before = Date.now();
  await page.keyboard.press("y");
  const { sendAt } = await until(async () => (await hub().desk().getDraft(id))?.scheduled, "the answer held back");
  expect(sendAt - before).toBeGreaterThanOrEqual(3_000);
});

test("arrow keys, Other, notes and multi-selects do not send", async () => {
  const many = { id: "many", question: "Which ones?", type: "multi-select" as const, options: ["Apple", "Pear"] };
  const { id, page } = await opened({ questions: [many] });
  await page.keyboard.press("1");
  await until(() => page.getByRole("checkbox", { name: "Apple" }).isChecked(), "the choice");
  await page.getByRole("checkbox", { name: "Pear" }).click();
  const other = await opened({ questions: [fruit] });
  await other.page.getByRole("radio", { name: "Apple" }).focus();
  await other.page.keyboard.press("ArrowDown");
  await until(() => other.page.getByRole("radio", { name: "Pear" }).isChecked(), "the pick by an arrow");
  await other.page.keyboard.press("o");
  await other.page.getByRole("textbox", { name: "Your own answer" }).waitFor();
  await other.page.getByRole("button", { name: "Add a note" }).click();
  for (const each of [id, other.id]) expect(await scheduledValues(each)).toBe(undefined);
});

test("in a set picks continue to the next question, and the review sends", async () => {
  const { id, page } = await opened({ questions: [fruit, sure, size] });
  await page.keyboard.press("1");
  await page.locator("[data-question=sure]").waitFor();
  await page.keyboard.press("n");
  await page.locator("[data-question=size]").waitFor();
  await page.keyboard.press("5");
  await page.getByRole("heading", { name: "Review" }).waitFor();
  expect(await scheduledValues(id)).toBe(undefined);
  await page.keyboard.press("Enter");
  await until(async () => (await scheduledValues(id)) !== undefined, "the answer held back");
});

test("a key pressed twice quickly, or held down, does not pick in the next question", async () => {
  const { page } = await opened({ questions: [fruit, { ...fruit, id: "second", question: "And then?" }] });
  await page.evaluate(() =>
    addEventListener("keydown", ({ timeStamp }) => {
      (window as unknown as { pressedAt: number }).pressedAt ??= timeStamp;
    }),
  );
  await page.keyboard.press("2");
  await page.locator("[data-question=second]").waitFor();
  /** A key press as if it had come after `after` ms. */
  const press = (after: number, repeat = false) =>
    page.evaluate(
      ([ms, isRepeated]) => {
        const event = new KeyboardEvent("keydown", { key: "2", repeat: isRepeated as boolean, bubbles: true, cancelable: true });
        const at = (window as unknown as { pressedAt: number }).pressedAt + Number(ms);
        Object.defineProperty(event, "timeStamp", { value: at });
        document.body.dispatchEvent(event);
      },
      [after, repeat],
    );
  await press(200);
  await press(5_000, true);
  expect(await page.locator("[data-question=second] input:checked").count()).toBe(0);
  await press(6_000);
  await page.getByRole("heading", { name: "Review" }).waitFor();
});

test("a double click picks once", async () => {
  const { page } = await opened({ questions: [fruit, { ...fruit, id: "second", question: "And then?" }] });
  await page.getByText("Pear").dblclick();
  await page.locator("[data-question=second]").waitFor();
  expect(await page.locator("[data-question=second] input:checked").count()).toBe(0);
  await page.getByText("Pear").click();
  await page.getByRole("heading", { name: "Review" }).waitFor();
});

test("after an answer is sent the next question opens, and u undoes the previous one", async () => {
  const next = await hub().ask({ title: "The next one", questions: [fruit] });
  const { id, page } = await opened({ title: "The first one", questions: [sure] });
  await page.keyboard.press("y");
  await until(async () => path(page) === `/s/${next}`, "the next question");
  const bar = page.getByTestId("sent-bar");
  await bar.getByText("The first one").waitFor();
  await page.keyboard.press("u");
  await until(async () => path(page) === `/s/${id}`, "the question before");
  await until(() => page.getByRole("radio", { name: "Yes" }).isChecked(), "the answer as it was");
  expect(await scheduledValues(id)).toBe(undefined);
  expect((await hub().view(id)).status).toBe("pending");
  await bar.waitFor({ state: "detached" });
});

test("a sent answer that failed is reported, with a link to its question", async () => {
  const next = await hub().ask({ title: "The next one", questions: [fruit] });
  const { id, page } = await opened({ title: "The first one", questions: [sure] });
  await page.keyboard.press("y");
  await until(async () => path(page) === `/s/${next}`, "the next question");
  // It is recalled from the terminal, and answered differently.
  const terminal = hub().desk({ surface: "terminal", name: "Ada" });
  await terminal.recall(id);
  await terminal.answer(id, { answers: [{ questionId: "sure", values: ["no"] }] });
  const bar = page.getByTestId("sent-bar");
  await bar.getByText(/Answered in the terminal by/).waitFor();
  await bar.getByRole("link", { name: "Open" }).click();
  await page.getByTestId("outcome").waitFor();
});

test("nothing opens automatically if this is disabled", async () => {
  await hub().ask({ title: "The next one", questions: [fruit] });
  const { id, page } = await opened({ title: "The first one", questions: [sure] }, { opensNext: false });
  await page.keyboard.press("y");
  await page.keyboard.press("Enter");
  await page.getByTestId("outcome").waitFor();
  expect(path(page)).toBe(`/s/${id}`);
});
