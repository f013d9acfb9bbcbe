import { expect, test } from "vitest";
import { goTo } from "./support/browser.ts";
import { flaws } from "./support/looks.ts";
import { addPast } from "./support/past.ts";
import { webSuite } from "./support/suite.ts";

const { hub, enter } = webSuite();
const project = "/home/ada/engine";

test("what was often written in the project is offered below a text and for a reason, and only added when it is picked", async () => {
  for (let count = 0; count < 2; count += 1) {
    const past = { project, askedAt: Date.now() - 60_000 };
    const input = { questions: [{ id: "q", question: "What next?" }] };
    await addPast(hub().store, {
      ...past,
      input,
      ended: { kind: "answered", answers: [{ questionId: "q", values: ["Run <b>the</b> tests."] }] },
    });
    await addPast(hub().store, { ...past, input, ended: { kind: "cancelled", reason: "Not on Friday." } });
  }
  const id = await hub().ask({ questions: [{ id: "q", question: "And now?" }] }, { project });
  const { page } = await enter();
  await goTo(page, `/s/${id}`);
  const field = page.getByRole("textbox").first();
  await page.getByRole("button", { name: "Run <b>the</b> tests." }).waitFor();
  expect(await field.inputValue()).toBe("");
  expect(await flaws(page, "quick-replies")).toEqual([]);
  await page.getByRole("button", { name: "Run <b>the</b> tests." }).press("Enter");
  expect(await field.inputValue()).toBe("Run <b>the</b> tests.");
  expect((await hub().view(id)).status).toBe("pending");
  await page.getByRole("button", { name: /^Decline/ }).click();
  await page.getByRole("button", { name: "Not on Friday." }).click();
  expect(await page.getByLabel("Reason").inputValue()).toBe("Not on Friday.");
});
