import { byeReasons } from "@askbox/wire";
import { expect, test } from "vitest";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const text = { title: "Naming", questions: [{ id: "q", question: "What should it be called?", type: "text" as const }] };

async function opened(id: string, options: Parameters<typeof enter>[0] = {}) {
  const visit = await enter(options);
  await visit.page.locator(`[data-session="${id}"]`).click();
  await visit.page.locator(".question").waitFor();
  return { ...visit, field: visit.page.locator(".question textarea") };
}

test("a draft survives a reload, even its last key, and follows the user live; settled elsewhere, the form says who, where and what; a page says that the demo has ended, or that the hub was stopped", async () => {
  const id = await hub().ask(text);
  const { page, field } = await opened(id);
  await field.fill("lathe");
  await page.reload();
  await until(async () => (await field.inputValue()) === "lathe", "the draft after a reload");
  await until(async () => (await hub().desk().getDraft(id))?.fields["q"]?.values?.[0] === "lathe", "the draft at the hub");
  const phone = await opened(id);
  await field.fill("typed at the desk");
  await until(async () => (await phone.field.inputValue()) === "typed at the desk", "the draft on the phone");

  await hub()
    .desk({ surface: "cli", name: "Bob" })
    .answer(id, { answers: [{ questionId: "q", values: ["from the shell"] }] });
  await page
    .locator("#outcome-title")
    .getByText(/^Answered by .* on the command line/)
    .waitFor();
  await page.getByText("from the shell").waitFor();
  await page.getByText("Your draft here was not sent").waitFor();
  expect(await page.locator("textarea").count()).toBe(0);
  expect(await page.locator(".row").count()).toBe(0);

  // What is loaded later would fail, and be reported.
  await page.waitForLoadState("networkidle");
  const bar = page.getByTestId("connection");
  await hub().down(byeReasons.stopped);
  await bar.getByText("The hub was stopped. Run askbox hub on its machine to start it").waitFor();
  // It is said for three seconds only.
  const reconnected = bar.getByText("Reconnected.").waitFor();
  await hub().up();
  await reconnected;
  await hub().down(byeReasons.ended);
  await bar.getByText("The demo has ended. Run askbox setup to set up your own agents.", { exact: true }).waitFor();
  await hub().up();
});
