import { text } from "node:stream/consumers";
import type { SessionView } from "@askbox/core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addPast, type PastSession } from "./support/past.ts";
import { webSuite } from "./support/suite.ts";

const { hub, enter } = webSuite();
const now = Date.now();
const minutes = 60_000;

const confirmed = (question: string, more: Partial<PastSession> = {}): PastSession => ({
  input: { questions: [{ id: "q", type: "confirm", question }] },
  project: "/home/ada/engine",
  branch: "main",
  askedAt: now - 60 * minutes,
  ended: { kind: "answered", answers: [{ questionId: "q", values: ["yes"] }] },
  ...more,
});

const rows = (page: Page) => page.locator(".list [data-session]");

async function download(page: Page, format: "Markdown" | "JSON", within = ".list"): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(within).getByRole("button", { name: format, exact: true }).click(),
  ]);
  // The browser may run in another process, whose files have no path here.
  return text(await file.createReadStream());
}

describe("the history", () => {
  it("loads page by page while scrolling, newest first, and is exported with the whole filter result", async () => {
    for (let index = 0; index < 130; index += 1)
      await addPast(hub().store, confirmed(`Step ${index}?`, { askedAt: now - (200 - index) * minutes }));
    await addPast(hub().store, confirmed("Another?", { client: "codex", askedAt: now - 300 * minutes }));
    const { page } = await enter({ acceptDownloads: true });
    await page.locator(".header").getByRole("link", { name: "History" }).click();
    await rows(page).nth(49).waitFor();
    expect(await rows(page).first().textContent()).toContain("Step 129?");
    expect(await rows(page).count()).toBeLessThan(130);
    const list = page.locator(".list");
    await expect
      .poll(async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return rows(page).count();
      })
      .toBe(131);
    expect(await rows(page).last().textContent()).toContain("Another?");
    await page.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });

    await page.getByLabel("Agent").selectOption("claude-code");
    await expect.poll(async () => (await rows(page).allInnerTexts()).some((text) => text.includes("Another?"))).toBe(false);
    const saved = JSON.parse(await download(page, "JSON")) as SessionView[];
    expect(saved).toHaveLength(130);
    expect(saved[0]).toMatchObject({ status: "answered", asker: { client: { name: "claude-code" } }, outcome: { kind: "answered" } });
    await page.getByText("130 saved").waitFor();
    expect(await download(page, "Markdown")).toContain("Step 129");
  });
});
