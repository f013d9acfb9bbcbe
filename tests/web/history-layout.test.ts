import { expect, test } from "vitest";
import { believablePast } from "./support/believable.ts";
import { goTo } from "./support/browser.ts";
import { flaws } from "./support/flaws.ts";
import { addPast } from "./support/past.ts";
import { webSuite } from "./support/suite.ts";

const { hub, enter } = webSuite();

test("history, statistics and settings are accessible and fit at every size and in every colour scheme", { tags: "nightly" }, async () => {
  for (const past of believablePast(Date.now(), { days: 12 })) await addPast(hub().store, past);
  const id = await addPast(hub().store, {
    input: {
      title: "A title that goes on for a while, so that it has to break somewhere on a phone",
      questions: [{ id: "q", type: "text", question: `Which **one**? ${"unbroken".repeat(20)}` }],
    },
    client: "an-agent-with-quite-a-long-name-for-a-phone",
    project: `/home/ada/${"folder".repeat(20)}`,
    branch: "feat/a-branch-with-quite-a-long-name-for-a-phone",
    askedAt: Date.now() - 120_000,
    ended: { kind: "timed_out", reply: { answers: [{ questionId: "q", values: ["wide".repeat(60)] }] } },
  });
  const { page } = await enter();
  const found: string[] = [];
  const look = async (view: string) => found.push(...(await flaws(page, view)));
  await goTo(page, "/history");
  await page.locator(".row").nth(5).waitFor();
  await look("history");
  await page.locator(`[data-session="${id}"]`).click();
  await page.locator(".facts").waitFor();
  await look("reader");
  await goTo(page, "/numbers");
  await page.locator(".plot svg").nth(1).waitFor();
  for (const table of await page.getByText("Show as a table").all()) await table.click();
  await look("numbers");
  await goTo(page, "/settings");
  await page.locator("[data-device]").waitFor();
  await look("settings");
  await page.getByRole("button", { name: "Log this browser out" }).click();
  await look("logging out");
  expect(found).toEqual([]);
});
