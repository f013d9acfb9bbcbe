import { parseAsk, standardPlatform } from "@askbox/core";
import { expect, test } from "vitest";
import { goTo } from "./support/browser.ts";
import { flaws } from "./support/flaws.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const input = {
  title: "A new module",
  questions: [
    { id: "db", question: "Which database?", type: "select" as const, options: ["SQLite", "Postgres"] },
    { id: "name", question: "What is it called?" },
  ],
};
const reply = "It needs a **server** of its own:\n\n1. one more process\n2. `pg_dump` for backups\n\n<b>no markup</b>";

async function asked() {
  const id = await hub().ask(input);
  return { id, asker: hub().broker.asker("agents") };
}

test("a user asks the agent, with i about the question shown or another; sees its reply, other people's messages and what replaces the questions, and keeps what they entered", async () => {
  const { id, asker } = await asked();
  const { page } = await enter();
  await page.locator(`[data-session="${id}"]`).click();
  const option = page.getByRole("radio", { name: /SQLite/ });
  await option.check();
  await page.getByRole("button", { name: "Ask the agent" }).click();
  const field = page.getByRole("textbox", { name: "What do you want to know first?" });
  await field.fill("Why not **Postgres**?");
  await field.press("Control+Enter");
  const thread = page.getByTestId("thread");
  await thread.getByRole("paragraph").getByText("Why not").waitFor();
  expect(await thread.locator("strong", { hasText: "Postgres" }).count()).toBe(1);
  expect((await hub().view(id)).thread).toMatchObject([{ text: "Why not **Postgres**?", by: { surface: "web" } }]);
  expect((await hub().view(id)).status).toBe("pending");
  await asker.resume(id, { reply, maxWait: 0 });
  await thread.locator("li[data-from=agent] code", { hasText: "pg_dump" }).waitFor();
  expect(await thread.locator("b").count()).toBe(0);
  expect(await option.isChecked()).toBe(true);
  await hub()
    .desk({ surface: "cli", name: "Bob" })
    .askBack(id, { text: `And ${"a-long-word".repeat(20)}?` });
  await thread.getByText("And a-long-word").waitFor();
  await until(async () => (await thread.getByText("Bob").count()) > 0, "who asked");

  // With i, about the question that is shown.
  await page.locator("#session-title").focus();
  await page.keyboard.press("i");
  const about = page.getByRole("combobox", { name: "About" });
  await until(async () => (await about.inputValue()) === "db", "it is about the first question");
  await field.fill("Why not Postgres?");
  expect(await flaws(page, "thread")).toEqual([]);
  // Escape only closes the field, and keeps its text.
  await field.press("Escape");
  await field.waitFor({ state: "detached" });
  await page.keyboard.press("Alt+i");
  const says = (words: string) => until(async () => (await field.inputValue()) === words, `the field to say "${words}"`);
  await says("Why not Postgres?");
  // So does a reload.
  await page.reload();
  await page.getByRole("button", { name: "Ask the agent" }).click();
  await says("Why not Postgres?");
  await about.selectOption({ label: "Question 2" });
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByTestId("thread").getByText("about question 2").waitFor();
  expect((await hub().view(id)).thread?.at(-1)).toMatchObject({ questionId: "name", text: "Why not Postgres?" });
  await page.getByRole("button", { name: "Ask the agent" }).click();
  await says("");

  // What replaces it is linked, and its thread goes along, into the history too.
  const { asker: who } = await hub().view(id);
  const better = parseAsk({ questions: [{ question: "Better?" }] }, { ids: standardPlatform(globalThis).ids });
  const { session } = await asker.ask(better, { asker: who, replaces: id, maxWait: 0, earlier: false });
  await page.getByRole("link", { name: "Open them" }).click();
  await page.getByText("Better?").first().waitFor();
  expect(page.url()).toContain(session.id);
  await page.getByTestId("thread").getByText("And a-long-word").waitFor();
  await hub().desk().cancel(session.id);
  await goTo(page, `/history/${session.id}`);
  await page.getByTestId("reader").getByText("And a-long-word").waitFor();
});

test("the field for asking is clear of the bar at the bottom with its buttons, and a reply that arrives out of sight is led to", async () => {
  const options = Array.from({ length: 30 }, (_, index) => `Option ${index}`);
  const id = await hub().ask({ questions: [{ question: "Which one?", type: "select", options }] });
  const { page } = await enter();
  await page.locator(`[data-session="${id}"]`).click();
  await page.locator("#session-title").focus();
  await page.keyboard.press("i");
  const isClear = (selector: string) =>
    page.evaluate((selector) => {
      const bottom = document.querySelector(selector)?.getBoundingClientRect().bottom;
      return bottom !== undefined && bottom <= (document.querySelector(".actions")?.getBoundingClientRect().top ?? 0);
    }, selector);
  await page.locator(".thread-ask").getByRole("button", { name: "Attach a file" }).waitFor();
  await until(() => isClear(".thread-ask .thread-buttons"), "its buttons clear of the bar");
  await page.keyboard.type("Why?");
  await page.keyboard.press("Enter");
  await page.locator(".thread-message").waitFor();
  await page.locator(".detail").evaluate((pane) => pane.scrollTo({ top: 0 }));
  const chip = page.getByRole("button", { name: "has replied" });
  expect(await chip.count()).toBe(0);
  await hub().broker.asker("agents").resume(id, { reply: "Because it is fast.", maxWait: 0 });
  await chip.click();
  await chip.waitFor({ state: "detached" });
  expect(await isClear(".thread-message[data-from=agent]")).toBe(true);
});
