import type { AskInput } from "@askbox/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { flaws } from "./support/looks.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const askHuman = (question = "May I rename the table?") =>
  hub().ask({ questions: [{ id: "q", question }], timeout: 600_000 }, { agentId: "abc-123", tool: "ask_human", inlineReply: true });

test("a question in plain words says that an agent needs input, and can be answered from the list", async () => {
  const id = await askHuman();
  await hub().ask({ questions: [{ question: "Which?", type: "select", options: ["a", "b"] }] });
  const { page } = await enter();
  const row = page.locator("li", { has: page.locator(`[data-session="${id}"]`) });
  await row.getByText("Agent needs input").waitFor();
  expect(await page.getByRole("button", { name: "Reply here" }).count()).toBe(1);
  await row.getByRole("button", { name: "Reply here" }).click();
  await row.getByRole("textbox").waitFor();
  await page.keyboard.type("Yes, to `crates`.");
  await until(async () => (await hub().view(id)).presence.openIn.some(({ surface }) => surface === "web"), "it counts as open here");
  await page.keyboard.press("Control+Enter");
  await until(async () => (await hub().view(id)).status === "answered", "the answer");
  expect((await hub().view(id)).outcome).toMatchObject({
    answers: [{ questionId: "q", values: ["Yes, to `crates`."] }],
    by: { surface: "web" },
  });
  await until(async () => (await row.count()) === 0, "the row to go");
});

test("text typed in the list is kept, is the form's own draft, and an empty reply is not sent", async () => {
  const id = await askHuman();
  const { page } = await enter();
  await page.getByRole("button", { name: "Reply here" }).click();
  await page.getByRole("button", { name: "Send reply" }).click();
  await page.getByText("Please answer this question.").waitFor();
  await page.getByRole("textbox", { name: /^Your reply to: .*May I rename the table/ }).fill("Let me think");
  await until(async () => (await hub().desk().getDraft(id))?.fields["q"]?.values?.[0] === "Let me think", "the draft");
  await page.keyboard.press("Escape");
  await page.locator(`[data-session="${id}"]`).click();
  await until(async () => (await page.locator(".session textarea").first().inputValue()) === "Let me think", "the same text in the form");
  expect(await page.getByRole("button", { name: "Reply here" }).count()).toBe(0);
  expect((await hub().view(id)).status).toBe("pending");
});

test("the reply card is accessible and fits", async () => {
  await askHuman(`May I rename the table ${"and its many columns ".repeat(6)}?`);
  const { page } = await enter();
  await page.getByRole("button", { name: "Reply here" }).click();
  await page.getByRole("textbox", { name: /^Your reply/ }).waitFor();
  await page.keyboard.type("Yes");
  expect(await flaws(page, "reply card")).toEqual([]);
});

const kinds: Record<string, { question: object; give: (page: Page) => Promise<void>; values: string[] }> = {
  "a yes or no": { question: { type: "confirm" }, give: (page) => page.keyboard.press("n"), values: ["no"] },
  "a choice": {
    question: { type: "select", options: ["SQLite", "Postgres"] },
    give: (page) => page.keyboard.press("2"),
    values: ["Postgres"],
  },
  "several choices": {
    question: { type: "multi-select", options: ["Address", "Delivery", "Payment"] },
    give: async (page) => {
      await page.getByRole("checkbox", { name: "Address" }).check();
      await page.getByRole("checkbox", { name: "Payment" }).check();
    },
    values: ["Address", "Payment"],
  },
  "a text": { question: { type: "text" }, give: (page) => page.keyboard.type("lathe, j x d"), values: ["lathe, j x d"] },
  "a number": { question: { type: "number" }, give: (page) => page.keyboard.type("12"), values: ["12"] },
};

test.each(Object.entries(kinds))("%s alone is answered in its row, and undone there", async (_kind, { question, give, values }) => {
  const input = { title: "A title", questions: [{ id: "q", question: "Which one is it?", ...question }] } as AskInput;
  const id = await hub().ask(input);
  await hub().ask({
    questions: [
      { question: "One", type: "confirm" },
      { question: "Two", type: "confirm" },
    ],
  });
  const { page } = await enter({ settings: { undoSeconds: 60 } });
  const row = page.locator("li", { has: page.locator(`[data-session="${id}"]`) });
  await row.getByRole("button", { name: /^(Answer|Reply) here$/ }).click();
  await row.getByText("Which one is it?").waitFor();
  // The widget has the focus, so that keys answer at once.
  await until(() => row.evaluate((item) => item.querySelector(".row-card :focus") !== null), "the focus in the card");
  await give(page);
  await page.keyboard.press("Control+Enter");
  await row.getByText(/^Sends in/).waitFor();
  expect((await hub().view(id)).status).toBe("pending");
  await until(async () => (await page.evaluate(() => document.activeElement?.getAttribute("data-session"))) === id, "the focus in its row");
  await row.getByRole("button", { name: "Undo" }).click();
  await row.getByText(/^Sends in/).waitFor({ state: "detached" });
  await row.getByRole("button", { name: /^(Answer|Reply) here$/ }).click();
  await row.locator(".row-card").waitFor();
  // The answer is still there.
  await page.keyboard.press("Control+Enter");
  await row.getByText(/^Sends in/).waitFor();
  expect((await hub().desk().getDraft(id))?.scheduled).toBeDefined();
  expect((await hub().desk().getDraft(id))?.fields["q"]?.values).toEqual(values);
  expect(new URL(page.url()).pathname).toBe("/");
});

test("only single questions are answered in their rows, and Escape returns to the row", async () => {
  const id = await hub().ask({ questions: [{ question: "One?", type: "confirm" }] });
  await hub().ask({
    questions: [
      { question: "One", type: "confirm" },
      { question: "Two", type: "confirm" },
    ],
  });
  const { page } = await enter();
  await until(async () => (await page.locator(".row").count()) === 2, "both rows");
  expect(await page.locator(".row-answer-open").count()).toBe(1);
  await page.getByRole("button", { name: "Answer here" }).click();
  await until(() => page.evaluate(() => document.activeElement?.closest(".row-card") !== null), "the focus in the card");
  await page.keyboard.press("Escape");
  await page.locator(".row-card").waitFor({ state: "detached" });
  await until(async () => (await page.evaluate(() => document.activeElement?.getAttribute("data-session"))) === id, "the focus in its row");
});
