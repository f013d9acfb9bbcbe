import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { sameNames } from "./support/flaws.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const rows = (page: Page, count: number) => until(async () => (await page.locator(".row").count()) === count, `${count} rows`);

describe("the list", () => {
  it("has 14 rows at 1280 by 800; the one under the cursor is shown next to it, which marks nothing as seen", async () => {
    for (let index = 0; index < 20; index += 1) {
      await hub().ask({
        timeout: 600_000 + index * 1_000,
        questions: [{ question: `Which **database** for ${index}?`, type: "select", options: ["SQLite", "Postgres"] }],
      });
    }
    const { page } = await enter({ clock: true, settings: { density: "comfortable" } });
    await rows(page, 20);
    expect(await sameNames(page)).toEqual([]);
    const heights = await page
      .locator(".row")
      .evaluateAll((all) =>
        all.map((row) => row.getBoundingClientRect()).flatMap(({ bottom, height }) => (bottom <= innerHeight ? [height] : [])),
      );
    expect(heights.length).toBeGreaterThanOrEqual(14);
    for (const height of heights) expect(height >= 52 && height <= 56).toBe(true);
    const peeked = (index: number) => page.locator(".peek").getByText(`Which database for ${index}?`).waitFor();
    await peeked(0);
    await page.keyboard.press("j");
    await peeked(1);
    // The pointer moves no cursor.
    await page.locator(".row").nth(5).hover();
    await page.keyboard.press("j");
    await peeked(2);
    expect(await page.locator(".peek :is(input, textarea)").count()).toBe(0);
    await page.clock.fastForward(5_000);
    const { items } = await hub().desk().list();
    expect(items.map(({ presence, seenAt }) => [presence.openIn, seenAt])).toEqual(items.map(() => [[], undefined]));
    await page.locator(".peek").getByText("Which database for 2?").click();
    await page.locator(".question").getByText("Which database for 2?").waitFor();
  });

  it("has no empty pane next to it, 20 compact rows at 1280 by 800 that say who asks what, and 500 rows in all until their end is in sight", async () => {
    const { page } = await enter({ clock: true });
    await page.getByText("No agent has asked yet").waitFor();
    expect(await page.locator(".detail").isVisible()).toBe(false);
    const [list, body] = await Promise.all([page.locator(".list").boundingBox(), page.locator("body").boundingBox()]);
    expect(list?.width).toBe(body?.width);
    const ask = (index: number) =>
      hub().ask(
        {
          timeout: 1_790_000 + index,
          questions: [
            { question: `Which database for service ${index}?`, type: "select", options: ["SQLite", "Postgres"] },
            { question: "Why?", type: "text" },
          ],
        },
        { client: "codex-mcp-client", project: `/home/ada/p${index % 3}` },
      );
    await Promise.all(Array.from({ length: 520 }, (_, index) => ask(index)));
    // The time left, which the rows show, stays the same.
    await page.clock.setFixedTime(Date.now());
    // The page takes in each by itself, which is far more than a person's inbox does at once.
    await until(async () => (await page.title()) === "(520) askbox", "all of them", 60_000);
    await rows(page, 500);
    const seen = await page.locator(".list li").evaluateAll((items) =>
      items
        .filter((item) => {
          const { top, bottom } = item.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        })
        .map((item) => {
          const isShown = (part: Element | null) =>
            part instanceof HTMLElement && part.checkVisibility() && part.offsetWidth > 20 ? part.textContent : "";
          return [".row-title", ".row-meta", ".row-kind", ".time-left"].map((part) => isShown(item.querySelector(part)));
        }),
    );
    expect(seen.length).toBeGreaterThanOrEqual(20);
    for (const [title, meta, kind, time] of seen) {
      expect(title).toMatch(/^Which database for service \d+\?$/);
      expect(meta).toMatch(/Codex.*p\d/s);
      expect(kind).toBe("2 questions: Choice, Text");
      expect(time).toMatch(/^29 min$/);
    }
    await page.getByRole("button", { name: "Order and view" }).click();
    await page.getByLabel("Rows").selectOption("comfortable");
    await page.keyboard.press("Escape");
    await page.reload();
    await rows(page, 500);
    expect(await page.locator(".list").getAttribute("data-density")).toBe("comfortable");
    await page.locator(".row").last().focus();
    await rows(page, 520);
    await page.keyboard.press("j");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Which database for service 500?");
    await page.locator(".list").evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    const last = page.locator(".row").last();
    await until(() => last.evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight + 1), "the last row in sight");
    const title = await last.locator(".row-title").textContent();
    await last.click();
    await page.getByRole("heading", { level: 1, name: title ?? "" }).waitFor();
  });

  it("loses an answered question at once; toasts say what was sent, declined and denied, u undoes the last, and nothing shifts", async () => {
    const { page } = await enter({ settings: { undoSeconds: 60 } });
    const ids: Record<string, string> = {};
    for (const [index, title] of ["Deploy", "Rename", "Delete", "Later"].entries()) {
      ids[title] = await hub().ask({
        title,
        timeout: 600_000 + index * 1_000,
        questions: [{ id: "q", question: `${title}?`, type: "confirm" }],
      });
    }
    ids["rm"] = await hub().ask({
      timeout: 700_000,
      questions: [{ type: "approval", question: "May I?", action: { kind: "command", command: "rm -rf build" } }],
    });
    await rows(page, 5);
    await page.evaluate(() => {
      type Shift = PerformanceEntry & { sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] };
      const moved: string[] = [];
      new PerformanceObserver((list) => {
        // Also what follows a key at once: a busy machine takes longer.
        for (const { node, previousRect, currentRect } of (list.getEntries() as Shift[]).flatMap(({ sources }) => sources)) {
          const element = node instanceof Element ? node : node?.parentElement;
          const isRow = element?.matches(".list li") && previousRect.x === currentRect.x;
          // What is gone by now moved under no pointer; the time left becomes shorter by itself.
          if (element != null && !isRow && element.closest(".row-time, .session-time") === null) moved.push(element.outerHTML);
        }
      }).observe({ type: "layout-shift", buffered: false });
      Object.assign(globalThis, { moved });
    });
    const toast = (text: string) => page.getByTestId("toast").filter({ hasText: text });
    await page.keyboard.press("Enter");
    await page.locator(".question").getByText("Deploy?").waitFor();
    await page.keyboard.press("y");
    await page.keyboard.press("Enter");
    await page.locator(".question").getByText("Rename?").waitFor();
    await toast("Sent")
      .getByText(/Sent “.?Yes.?” · .*Deploy/)
      .waitFor();
    await rows(page, 4);
    // A key that comes so soon after an answer is not meant for the next question.
    await page.getByRole("button", { name: "Decline…" }).click();
    await page.getByRole("textbox", { name: "Reason (optional)" }).fill("not now");
    await page.keyboard.press("Control+Enter");
    await page.locator(".question").getByText("Delete?").waitFor();
    await toast("Declined")
      .getByText(/Rename/)
      .waitFor();
    await rows(page, 3);
    // The toast's key, too, though the next question has just opened by itself.
    await page.keyboard.press("u");
    await page.locator(".question").getByText("Rename?").waitFor();
    await rows(page, 4);
    expect((await hub().view(ids["Rename"] ?? "")).status).toBe("pending");
    await page.keyboard.press("u");
    await rows(page, 5);
    const draftOf = (title: string) =>
      hub()
        .desk()
        .getDraft(ids[title] ?? "");
    await until(async () => (await draftOf("Deploy"))?.scheduled === undefined, "the answer undone");
    await page.locator(`[data-session="${ids["rm"]}"]`).click();
    await page.getByRole("button", { name: "With a reason…" }).click();
    await page
      .getByRole("dialog", { name: /^Deny “.*rm -rf build.*”$/ })
      .getByRole("button", { name: "Deny" })
      .click();
    await toast("Denied")
      .getByText(/rm -rf build/)
      .waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)).toEqual([]);
    const lines = toast("Denied")
      .locator(".toast-text")
      .evaluate((text) => {
        text.textContent = "a long line ".repeat(40);
        return text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight);
      });
    expect(await lines, "a toast shows two whole lines").toBeCloseTo(2, 1);
    await page.reload();
    // The hub holds the denial, whatever becomes of the page.
    const denial = { answers: [{ values: ["deny"] }], by: { surface: "web" } };
    expect(
      (
        await hub()
          .desk()
          .getDraft(ids["rm"] ?? "")
      )?.scheduled,
    ).toMatchObject(denial);
  });
});
