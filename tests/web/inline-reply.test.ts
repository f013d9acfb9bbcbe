import type { AskInput } from "@askbox/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { flaws } from "./support/flaws.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const askHuman = (question = "May I rename the table?") =>
  hub().ask({ questions: [{ id: "q", question }], timeout: 600_000 }, { agentId: "abc-123", tool: "ask_human", inlineReply: true });

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

test("a question in plain words can be answered from the list; what is typed there is the form's own draft; so can a single question of any kind, which can be undone; Escape returns to the row", async () => {
  const id = await askHuman(`May I rename the table ${"and its many columns ".repeat(6)}?`);
  await hub().ask({ questions: [{ question: "Which?", type: "select", options: ["a", "b"] }] });
  // Where there is room for it, the preview is next to the list instead.
  const { page } = await enter({ settings: { undoSeconds: 60 }, viewport: { width: 800, height: 800 } });
  const row = page.locator("li", { has: page.locator(`[data-session="${id}"]`) });
  await row.getByText("Agent needs input").waitFor();
  const open = page.getByRole("button", { name: "Reply here" });
  await until(async () => (await open.count()) === 1, "one row with a reply");
  await open.click();
  await page.getByRole("button", { name: "Send reply" }).click();
  await page.getByText("Please answer this question.").waitFor();
  await page.getByRole("textbox", { name: /^Your reply to: .*May I rename the table/ }).fill("Let me think");
  expect(await flaws(page, "reply card")).toEqual([]);
  await until(async () => (await hub().desk().getDraft(id))?.fields["q"]?.values?.[0] === "Let me think", "the draft");
  await page.keyboard.press("Escape");
  await page.locator(`[data-session="${id}"]`).click();
  await until(async () => (await page.locator(".session textarea").first().inputValue()) === "Let me think", "the same text in the form");
  await until(async () => (await open.count()) === 0, "no reply in the list");
  expect((await hub().view(id)).status).toBe("pending");

  await page.goto(`${hub().url}/`);
  await open.click();
  await row.getByRole("textbox").fill("Yes, to `crates`.");
  await until(async () => (await hub().view(id)).presence.openIn.some(({ surface }) => surface === "web"), "it counts as open here");
  await page.keyboard.press("Control+Enter");
  await until(async () => (await hub().desk().getDraft(id))?.scheduled !== undefined, "the answer that the hub holds");
  hub().skip(60_000);
  await until(async () => (await hub().view(id)).status === "answered", "the answer");
  expect((await hub().view(id)).outcome).toMatchObject({
    answers: [{ questionId: "q", values: ["Yes, to `crates`."] }],
    by: { surface: "web" },
  });
  await until(async () => (await row.count()) === 0, "the row to go");

  for (const [kind, { question, give, values }] of Object.entries(kinds)) {
    const id = await hub().ask({ title: kind, questions: [{ id: "q", question: "Which one is it?", ...question }] } as AskInput);
    const row = page.locator("li", { has: page.locator(`[data-session="${id}"]`) });
    const isInRow = () =>
      until(async () => (await page.evaluate(() => document.activeElement?.getAttribute("data-session"))) === id, "the focus in its row");
    const open = async () => {
      await row.getByRole("button", { name: /^(Answer|Reply) here/ }).click();
      await row.locator(".row-card").getByText("Which one is it?").waitFor();
      // The widget has the focus, so that keys answer at once.
      await until(() => row.evaluate((item) => item.querySelector(".row-card :focus") !== null), "the focus in the card");
    };
    await open();
    await page.keyboard.press("Escape");
    await page.locator(".row-card").waitFor({ state: "detached" });
    await isInRow();
    await open();
    await give(page);
    await page.keyboard.press("Control+Enter");
    // The row leaves at once, and comes back when that is undone.
    await row.waitFor({ state: "detached" });
    const toast = page.getByTestId("toast").getByText(new RegExp(`^Sent .* · .*${kind}`));
    await toast.waitFor();
    expect((await hub().view(id)).status).toBe("pending");
    await page.keyboard.press("u");
    await toast.waitFor({ state: "detached" });
    await open();
    // The answer is still there.
    await page.keyboard.press("Control+Enter");
    await row.waitFor({ state: "detached" });
    await until(async () => (await hub().desk().getDraft(id))?.scheduled !== undefined, "the answer that the hub holds");
    const draft = await hub().desk().getDraft(id);
    expect([kind, draft?.scheduled !== undefined, draft?.fields["q"]?.values]).toEqual([kind, true, values]);
    expect(new URL(page.url()).pathname).toBe("/");
  }
});
