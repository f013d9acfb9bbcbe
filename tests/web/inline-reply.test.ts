import { expect, test } from "vitest";
import { phone, wide } from "./support/browser.ts";
import { sideways, violations } from "./support/looks.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const askHuman = (question = "May I rename the table?") =>
  hub().ask({ questions: [{ id: "q", question }], timeout: 600_000 }, { agentId: "abc-123", tool: "ask_human", inlineReply: true });

test("a question in plain words says that an agent needs input, and is answered from the list", async () => {
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

test("what is typed in the list is kept, is the form's own draft, and an empty reply is not sent", async () => {
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

test.each([
  ["wide", wide],
  ["phone", phone],
])("the reply card is sound and fits, %s", async (name, viewport) => {
  await askHuman(`May I rename the table ${"and its many columns ".repeat(6)}?`);
  const { page } = await enter({ viewport });
  await page.getByRole("button", { name: "Reply here" }).click();
  await page.getByRole("textbox", { name: /^Your reply/ }).waitFor();
  await page.keyboard.type("Yes");
  expect(await violations(page)).toEqual([]);
  expect(await sideways(page)).toEqual([]);
  const shots = process.env["ASKBOX_SHOTS"];
  if (shots !== undefined) await page.screenshot({ path: `${shots}/inline-reply-${name}.png` });
});
