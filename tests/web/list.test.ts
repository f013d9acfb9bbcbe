import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const sure = (question: string) => ({ questions: [{ question, type: "confirm" as const }] });
const titles = (page: Page) => page.locator(".row-title").allInnerTexts();
const rows = (page: Page, count: number) => until(async () => (await page.locator(".row").count()) === count, `${count} rows`);

describe("the list", () => {
  it("has the nearest deadline first, whatever the project, and groups if enabled", async () => {
    await hub().ask({ ...sure("In half an hour"), timeout: 1_800_000 }, { project: "/home/ada/site" });
    await hub().ask({ ...sure("In ten minutes"), timeout: 600_000 }, { project: "/home/ada/engine" });
    await hub().ask({ ...sure("In twenty minutes"), timeout: 1_200_000 }, { project: "/home/ada/site" });
    const { page } = await enter();
    await rows(page, 3);
    expect(await titles(page)).toEqual(["In ten minutes", "In twenty minutes", "In half an hour"]);
    await page.getByRole("button", { name: "Order and view" }).click();
    await page.getByLabel("Group by project").check();
    await page.getByRole("heading", { name: "site" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "site" }).waitFor();
    expect(await page.getByRole("region", { name: "site" }).locator(".row").count()).toBe(2);
  });

  it("shows 20 compact rows at 1280 by 800, each with agent, project, text, type and number of questions", async () => {
    for (let index = 0; index < 24; index += 1) {
      await hub().ask(
        {
          timeout: 1_800_000,
          questions: [
            { question: `Which database for service ${index}?`, type: "select", options: ["SQLite", "Postgres"] },
            { question: "Why?", type: "text" },
          ],
        },
        { client: "codex-mcp-client", project: `/home/ada/p${index % 3}` },
      );
    }
    const { page } = await enter();
    await page.getByRole("button", { name: "Order and view" }).click();
    await page.getByLabel("Rows").selectOption("compact");
    await page.keyboard.press("Escape");
    await rows(page, 24);
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
      expect(time).toMatch(/min left/);
    }
    await page.reload();
    await rows(page, 24);
    expect(await page.locator(".list").getAttribute("data-density")).toBe("compact");
  });

  it("uses the product names of agents, in the list, above the question and in the history", async () => {
    const questions = [{ id: "q", question: "Deploy it?", type: "confirm" as const }];
    const id = await hub().ask({ title: "Deploy", questions }, { client: "gemini-cli-mcp-client" });
    await hub().ask({ title: "Unknown agent", ...sure("Sure?") }, { client: "my-own-agent" });
    const { page } = await enter();
    await page.locator(`[data-session="${id}"]`).getByText("Gemini CLI").waitFor();
    await page.getByText("my-own-agent").waitFor();
    await page.locator(`[data-session="${id}"]`).click();
    await page.locator(".asker").getByText("Gemini CLI").waitFor();
    await hub()
      .desk()
      .answer(id, { answers: [{ questionId: "q", values: ["yes"] }] });
    await page.locator(".header").getByRole("link", { name: "History" }).click();
    await page.locator(".row").getByText("Gemini CLI").waitFor();
    await page.getByRole("combobox", { name: "Agent" }).selectOption({ label: "Gemini CLI" });
  });

  it("names a question without a title by its own text, both pending and answered", async () => {
    const id = await hub().ask({ questions: [{ id: "q", question: "What is the **new name**?", type: "text" }] });
    const { page } = await enter();
    await page.locator(`[data-session="${id}"]`).click();
    await page.getByRole("heading", { level: 1, name: "What is the new name?" }).waitFor();
    await hub()
      .desk()
      .answer(id, { answers: [{ questionId: "q", values: ["lathe"] }] });
    await page.getByTestId("outcome").waitFor();
    expect(await page.getByText("Agent needs input").count()).toBe(0);
    await page.goto(`${hub().url}/history/${id}`);
    await page.getByRole("heading", { level: 1, name: "What is the new name?" }).waitFor();
    expect(await page.getByText("Agent needs input").count()).toBe(0);
  });

  it("shows yes and no in Chinese if the page is Chinese", async () => {
    const id = await hub().ask({ questions: [{ id: "q", question: "要部署吗？", type: "confirm" }] });
    await hub()
      .desk()
      .answer(id, { answers: [{ questionId: "q", values: ["yes"] }] });
    const { page } = await enter({ locale: "zh-CN" });
    await page.locator(".header").waitFor();
    await page.goto(`${hub().url}/history`);
    await page.locator(".history-said").getByText("是", { exact: true }).waitFor();
    await page.locator(`[data-session="${id}"]`).click();
    await page.locator(".answer-text").getByText("是", { exact: true }).waitFor();
  });

  it("shows sessions whose agent has left if there are no others, and otherwise folds them", async () => {
    await hub().ask({ title: "Left alone", ...sure("Sure?") }, { leave: true });
    const { page } = await enter({ own: true });
    await page.locator(".row").first().waitFor();
    await page.clock.install();
    await page.reload();
    await page.locator(".row").first().waitFor();
    await page.clock.fastForward(130_000);
    const fold = page.getByRole("button", { name: "Agent left (1)" });
    await fold.waitFor();
    await page.getByText("Left alone").waitFor();
    await hub().ask({ title: "Somebody waits", ...sure("Sure?") });
    await page.locator(".row-title").getByText("Somebody waits").waitFor();
    await page.getByText("Left alone").waitFor();
    await page.reload();
    await page.locator(".row-title").getByText("Somebody waits").waitFor();
    await fold.waitFor();
    expect(await page.getByText("Left alone").count()).toBe(0);
    expect(await fold.locator("svg").isVisible()).toBe(true);
    await fold.click();
    await page.getByText("Left alone").waitFor();
  });

  it("has no empty pane next to it if nothing is pending", async () => {
    const { page } = await enter();
    await page.getByText("You're all caught up").waitFor();
    expect(await page.locator(".detail").isVisible()).toBe(false);
    const [list, body] = await Promise.all([page.locator(".list").boundingBox(), page.locator("body").boundingBox()]);
    expect(list?.width).toBe(body?.width);
  });
});

describe("the search", () => {
  it("opens the first hit with Enter, or the one selected with the arrows", async () => {
    const ids: string[] = [];
    for (const [index, title] of ["Rename the table", "Drop the table", "Paint the shed"].entries()) {
      ids.push(await hub().ask({ title, ...sure("Sure?"), timeout: 600_000 + index * 60_000 }));
    }
    const { page } = await enter();
    await rows(page, 3);
    const isOpen = (id: string | undefined) => until(async () => new URL(page.url()).pathname === `/s/${id}`, `question ${id}`);
    await page.keyboard.press("/");
    await page.keyboard.type("table");
    await page.getByText("2 of 3").waitFor();
    await page.keyboard.press("Enter");
    await isOpen(ids[0]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await isOpen(ids[1]);
  });

  it("is left with Escape and cleared by a second one, or by its button; the counts follow", async () => {
    await hub().ask({ title: "Rename", ...sure("Sure?") });
    await hub().ask({ title: "Drop", ...sure("Sure?") });
    const { page } = await enter();
    await rows(page, 2);
    const search = page.getByRole("searchbox");
    await page.keyboard.press("/");
    await page.keyboard.type("drop");
    await page.getByText("1 of 2").waitFor();
    await page.keyboard.press("Escape");
    expect(await search.inputValue()).toBe("drop");
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(false);
    await page.keyboard.press("Escape");
    await until(async () => (await search.inputValue()) === "", "an empty search");
    await rows(page, 2);
    await search.fill("no such thing");
    await page.getByText("0 of 2").waitFor();
    await page.getByRole("button", { name: "Clear the search" }).click();
    await rows(page, 2);
    expect(await page.getByText(/ of 2/).count()).toBe(0);
  });
});
