import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { flaws, resize, sizes } from "./support/flaws.ts";
import { addPast } from "./support/past.ts";
import { webSuite } from "./support/suite.ts";

const { hub, enter } = webSuite();

async function inReach(page: Page): Promise<boolean> {
  return page.getByTestId("primary").evaluate((button) => {
    const { top, bottom, left, right, height } = button.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return (
      top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && height >= (innerWidth < 896 ? 44 : 36) && hit === button
    );
  });
}

/** A session with everything that a question can have, in a project with quick replies. */
async function askAll(): Promise<string> {
  const past = { input: { questions: [{ id: "q", question: "What next?" }] }, project: "/home/ada/engine", askedAt: Date.now() - 120_000 };
  for (let count = 0; count < 2; count += 1) {
    const answers = [{ questionId: "q", values: ["Run the tests."] }];
    await addPast(hub().store, { ...past, ended: { kind: "answered", answers } });
    await addPast(hub().store, { ...past, ended: { kind: "cancelled", reason: "Not on Friday." } });
  }
  const wideCode = `\`\`\`ts\nexport const configuration = { ${"option: true, ".repeat(30)} };\n\`\`\``;
  return hub().ask(
    {
      title: "A title that goes on for a while, so that it has to break somewhere on a phone",
      questions: [
        {
          question: `Which **queue**?\n\n- one\n- two\n\n| a | b | c |\n|---|---|---|\n| ${"wide".repeat(20)} | 2 | 3 |\n\n${wideCode}\n\n${"unbroken".repeat(12)}`,
          type: "select",
          header: "A header chip",
          options: [
            { label: "BullMQ", description: "Same author, see [docs](https://docs.bullmq.io).", recommended: true, preview: wideCode },
            { label: "W".repeat(120) },
          ],
        },
        { question: "Which failures?", type: "multi-select", options: ["Timeouts", "HTTP 429"], required: false },
        { question: "Drop the table?", type: "confirm" },
        { question: "Why?", type: "text", required: false },
      ],
    },
    { agentId: "backend", branch: "feat/a-branch-with-quite-a-long-name-for-a-phone" },
  );
}

const { wide, ...small } = sizes;

test("every view is accessible, fits and keeps Submit visible, on a wide screen and on phones", async () => {
  for (const [size, inSizes, scheme] of [
    ["wide", { wide }, "light"],
    ["phone", small, "dark"],
  ] as const) {
    const id = await askAll();
    await hub().ask({ timeout: 30_000, questions: [{ question: "Which database URL?", type: "text" }] });
    const { page } = await enter({ viewport: sizes[size], settings: { notify: "unasked" } });
    const found: string[] = [];
    const look = async (view: string) => found.push(...(await flaws(page, view, { inSizes, schemes: [scheme] })));
    const keepsInReach = async () => {
      for (const viewport of Object.values(inSizes).reverse()) {
        await resize(page, viewport);
        expect(await inReach(page)).toBe(true);
      }
    };
    await page.locator(".row").first().waitFor();
    await look("inbox");
    await page.locator(`[data-session="${id}"]`).click();
    await page.locator(".question").waitFor();
    // On a wide screen it is next to the options.
    if (size !== "wide") await page.getByRole("button", { name: /Preview/ }).click();
    await page.locator(":is(.option-preview, .beside-preview) .hljs-keyword").first().waitFor();
    await page.getByRole("radio", { name: "Other" }).check();
    await page.getByRole("button", { name: "Add a note" }).click();
    await look("select");
    await keepsInReach();
    for (const view of ["multi-select", "confirm", "text", "review"]) {
      await page.getByTestId("primary").click();
      await page.locator(view === "review" ? ".review" : view === "text" ? ".quick-replies" : ".question").waitFor();
      await look(view);
      await keepsInReach();
    }
    await page.getByRole("button", { name: "Decline…" }).click();
    await page.locator("dialog .quick-replies").waitFor();
    await look("cancel");
    await page.keyboard.press("Escape");
    await hub().desk().cancel(id, { reason: "later" });
    await page.getByTestId("outcome").waitFor();
    await look("outcome");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await look("keys");
    expect(found).toEqual([]);
  }
});
