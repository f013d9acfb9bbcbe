import { expect, test } from "vitest";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const text = { title: "Naming", questions: [{ id: "q", question: "What should it be called?", type: "text" as const }] };
const confirm = { title: "Deleting", questions: [{ id: "q", question: "Delete it?", type: "confirm" as const }] };

async function opened(id: string, options: Parameters<typeof enter>[0] = {}) {
  const visit = await enter(options);
  await visit.page.locator(`[data-session="${id}"]`).click();
  await visit.page.locator(".question").waitFor();
  return { ...visit, field: visit.page.locator(".question textarea"), send: visit.page.getByTestId("primary") };
}

test("a reload while answering loses nothing, not even the last key", async () => {
  const id = await hub().ask(text);
  const { page, field } = await opened(id);
  await field.fill("lathe");
  await page.reload();
  await until(async () => (await field.inputValue()) === "lathe", "the draft after a reload");
  await until(async () => (await hub().desk().getDraft(id))?.fields["q"]?.values?.[0] === "lathe", "the draft at the hub");
});

test("a draft follows the user to another device, live", async () => {
  const id = await hub().ask(text);
  const desk = await opened(id);
  const phone = await opened(id);
  await desk.field.fill("typed at the desk");
  await until(async () => (await phone.field.inputValue()) === "typed at the desk", "the draft on the phone");
});

test("a hub that dies while answering is shown and reconnects without a reload; later input is sent", async () => {
  const id = await hub().ask(text);
  const { page, field, send } = await opened(id);
  await field.fill("before");
  await hub().down();
  await page.getByText("Connection to the hub lost.").waitFor();
  await field.fill("before and during");
  await hub().up();
  await page.getByText("Reconnected.").waitFor();
  expect(await field.inputValue()).toBe("before and during");
  await until(async () => (await hub().desk().getDraft(id))?.fields["q"]?.values?.[0] === "before and during", "the draft at the new hub");
  await send.click();
  await page.getByText("Answer sent").waitFor();
  expect((await hub().view(id)).outcome).toMatchObject({ answers: [{ values: ["before and during"] }] });
});

test("of two tabs that send at once one succeeds, and the other says who was first", async () => {
  const id = await hub().ask(confirm);
  const first = await opened(id);
  const second = await opened(id);
  await first.page.getByRole("radio", { name: "Yes" }).check();
  await second.page.getByRole("radio", { name: "No" }).check();
  // Element handles, because the slower page may lose its button before it is pressed.
  const buttons = await Promise.all([first.send.elementHandle(), second.send.elementHandle()]);
  await Promise.all(buttons.map((button) => button?.evaluate((element) => (element as HTMLElement).click())));
  await Promise.all([first, second].map(({ page }) => page.getByTestId("outcome").waitFor()));
  const titles = await Promise.all([first, second].map(({ page }) => page.locator("#outcome-title").textContent()));
  expect(titles.filter((title) => title === "Answer sent")).toHaveLength(1);
  expect(titles.filter((title) => /^Answered in the web inbox by .*Chrome on Linux/.test(title ?? ""))).toHaveLength(1);
});

test("a session settled elsewhere while open closes at once and shows who, where and what", async () => {
  const id = await hub().ask(text);
  const { page, field } = await opened(id);
  await field.fill("half");
  await hub()
    .desk({ surface: "cli", name: "Bob" })
    .answer(id, { answers: [{ questionId: "q", values: ["from the shell"] }] });
  await page.locator("#outcome-title").getByText("Answered in the command line by").waitFor();
  await page.getByText("from the shell").waitFor();
  await page.getByText("Your draft here was not sent.").waitFor();
  expect(await page.locator("textarea").count()).toBe(0);
  expect(await page.locator(".row").count()).toBe(0);
});

test("a question that expires while typing still accepts the reply and says what happens to it", async () => {
  const id = await hub().ask(text);
  const { page, field, send } = await opened(id);
  await field.fill("a bit late");
  await until(async () => (await hub().desk().getDraft(id)) !== undefined, "the draft");
  hub().skip(600_000);
  await page.getByText("You can still reply.").waitFor();
  expect(await field.inputValue()).toBe("a bit late");
  await send.getByText("Send reply").waitFor();
  await send.click();
  await page.getByText("Reply kept for the agent").waitFor();
  expect(await hub().view(id)).toMatchObject({ status: "timed_out", reply: { answers: [{ values: ["a bit late"] }] } });
});

test("an answer can be undone before it is sent, and is sent when the page is closed", async () => {
  const id = await hub().ask(confirm);
  const { page, send } = await opened(id, { settings: { undoSeconds: 60 } });
  await page.getByRole("radio", { name: "Yes" }).check();
  await send.click();
  await page.getByTestId("undo").click();
  await send.waitFor();
  expect(await page.getByRole("radio", { name: "Yes" }).isChecked()).toBe(true);
  await page.getByRole("radio", { name: "No" }).check();
  await send.click();
  await page.getByTestId("undo").waitFor();
  await page.close();
  expect((await hub().view(id)).status).toBe("pending");
  hub().skip(60_000);
  await until(async () => (await hub().view(id)).status === "answered", "the answer");
  expect((await hub().view(id)).outcome).toMatchObject({ answers: [{ values: ["no"] }] });
});
