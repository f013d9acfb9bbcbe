import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { goTo } from "./support/browser.ts";
import { flaws } from "./support/looks.ts";
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

test("a user asks the agent, reads its reply next to the form, and keeps what they entered", async () => {
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
});

test("i asks about the question that is shown or focused, and another one can be chosen", async () => {
  const { id } = await asked();
  const { page } = await enter();
  await page.locator(`[data-session="${id}"]`).click();
  await page.getByRole("radio", { name: /SQLite/ }).waitFor();
  await page.keyboard.press("i");
  const field = page.getByRole("textbox", { name: "What do you want to know first?" });
  const about = page.getByRole("combobox", { name: "About" });
  await until(async () => (await about.inputValue()) === "db", "it is about the first question");
  await field.fill("Why not Postgres?");
  // Escape only closes the field, and keeps its text.
  await field.press("Escape");
  await field.waitFor({ state: "detached" });
  await page.keyboard.press("Alt+i");
  expect(await field.inputValue()).toBe("Why not Postgres?");
  await about.selectOption({ label: "Question 2" });
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByTestId("thread").getByText("about question 2").waitFor();
  expect((await hub().view(id)).thread).toMatchObject([{ questionId: "name", text: "Why not Postgres?" }]);
});

test("two people see each other's messages, and are told if the agent has left", async () => {
  const { id } = await asked();
  await hub().desk().askBack(id, { text: "Why at all?" });
  const { page } = await enter();
  await page.locator(`[data-session="${id}"]`).click();
  await page.getByTestId("thread").getByText("Why at all?").waitFor();
  await hub().desk({ surface: "cli", name: "Bob" }).askBack(id, { text: "And when?" });
  await page.getByTestId("thread").getByText("And when?").waitFor();
  await until(async () => (await page.getByTestId("thread").getByText("Bob").count()) > 0, "who asked");
});

test("questions that replace others are linked, and a settled one has its thread in the history", async () => {
  const { id, asker } = await asked();
  const { page } = await enter();
  await page.locator(`[data-session="${id}"]`).click();
  await hub().desk().askBack(id, { text: "Why?" });
  await page.getByTestId("thread").getByText("Why?").waitFor();
  const { asker: who } = await hub().view(id);
  const { parseAsk, standardPlatform } = await import("@askbox/core");
  const better = parseAsk({ questions: [{ question: "Better?" }] }, { ids: standardPlatform(globalThis).ids });
  const { session } = await asker.ask(better, { asker: who, replaces: id, maxWait: 0, earlier: false });
  await page.getByRole("link", { name: "Open them" }).click();
  await page.getByText("Better?").first().waitFor();
  expect(page.url()).toContain(session.id);
  await page.getByTestId("thread").getByText("Why?").waitFor();
  await hub().desk().cancel(session.id);
  await goTo(page, `/history/${session.id}`);
  await page.getByTestId("reader").getByText("Why?").waitFor();
});

test("the thread is exported: who wrote what about which question, without markup taking effect", async () => {
  const { id, asker } = await asked();
  await hub().desk({ surface: "cli", name: "Bob" }).askBack(id, { text: "Why <b>now</b>?", questionId: "name" });
  await asker.resume(id, { reply: "It needs a *server*.\nOf its own.", maxWait: 0 });
  await hub().desk().cancel(id);
  const { page } = await enter({ acceptDownloads: true });
  await goTo(page, `/history/${id}`);
  const save = async (format: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(".reader").getByRole("button", { name: format }).click(),
    ]);
    return text(await download.createReadStream());
  };
  const markdown = await save("Markdown");
  const [, thread = ""] = markdown.split("### Messages with the agent\n\n");
  const [question, asks, replier, reply] = thread.split("\n\n");
  expect(question).toMatch(/^#### Asked .* by Bob, about question 2, /);
  expect(asks).toBe("Why \\<b\\>now\\</b\\>?");
  expect(replier).not.toContain("Bob");
  expect(reply).toBe("```text\nIt needs a *server*.\nOf its own.\n```\n");
  expect(JSON.parse(await save("JSON"))).toMatchObject({ thread: [{ text: "Why <b>now</b>?" }, { by: { surface: "asker" } }] });
});

test("the thread is accessible and fits", async () => {
  const { id, asker } = await asked();
  await hub().desk().askBack(id, { text: "Why not **Postgres**?", questionId: "db" });
  await asker.resume(id, { reply, maxWait: 0 });
  await hub()
    .desk({ surface: "cli", name: "Bob" })
    .askBack(id, { text: `And ${"a-long-word".repeat(20)}?` });
  const { page } = await enter();
  await page.locator(`[data-session="${id}"]`).click();
  await page.getByRole("button", { name: "Ask the agent" }).click();
  await page.getByRole("textbox", { name: "What do you want to know first?" }).fill("When?");
  expect(await flaws(page, "thread")).toEqual([]);
});
