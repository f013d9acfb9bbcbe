import { text } from "node:stream/consumers";
import type { SessionView } from "@askbox/core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { goTo } from "./support/browser.ts";
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

  it("can be searched by questions and answers, filtered by project, agent and outcome, shows what is newly settled, and takes a reply to a timeout", async () => {
    await addPast(hub().store, confirmed("Drop the table?", { project: "/home/ada/ledger" }));
    await addPast(hub().store, confirmed("Ship it?", { client: "codex", ended: { kind: "cancelled", reason: "Not on a Friday" } }));
    await addPast(hub().store, confirmed("Still there?", { ended: { kind: "timedOut" } }));
    const { page } = await enter();
    await goTo(page, "/history");
    await expect.poll(() => rows(page).count()).toBe(3);

    await page.getByRole("searchbox").fill("friday");
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining("Ship it?")]);
    await page.getByRole("searchbox").fill("");
    await page.getByLabel("Project").selectOption("/home/ada/ledger");
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining("Drop the table?")]);
    await page.getByLabel("Project").selectOption("");
    await page.getByLabel("Agent").selectOption("codex");
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining("Ship it?")]);
    await page.getByLabel("Agent").selectOption("");
    await page.getByLabel("Outcome").selectOption("timed_out");
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining("Still there?")]);
    await page.getByLabel("Project").selectOption("/home/ada/ledger");
    await page.getByText("No past questions match.").waitFor();

    await page.getByLabel("Project").selectOption("");
    await page.getByLabel("Outcome").selectOption("");
    await expect.poll(() => rows(page).count()).toBe(3);
    const id = await hub().ask({ questions: [{ id: "q", type: "confirm", question: "New one?" }] });
    await hub()
      .desk()
      .answer(id, { answers: [{ questionId: "q", values: ["no"] }] });
    await expect.poll(() => rows(page).first().textContent()).toContain("New one?");

    const input = { questions: [{ id: "q", type: "text" as const, question: "Which port?" }] };
    const replied = { answers: [{ questionId: "q", values: ["8080"] }], comment: "Sorry, lunch" };
    const withReply = await addPast(hub().store, { input, askedAt: now - 60 * minutes, ended: { kind: "timedOut", reply: replied } });
    const without = await addPast(hub().store, { input, askedAt: now - 90 * minutes, ended: { kind: "timedOut" } });
    await goTo(page, `/history/${withReply}`);
    const reply = page.getByRole("region", { name: "Reply after the deadline" });
    await reply.waitFor();
    expect(await reply.textContent()).toMatch(/8080[\s\S]*Sorry, lunch/);
    await goTo(page, `/history/${without}`);
    await page.getByRole("link", { name: "Reply now" }).click();
    await page.getByRole("textbox").first().fill("9090");
    await page.getByRole("button", { name: "Send reply" }).click();
    await expect.poll(async () => (await hub().view(without)).reply?.answers[0]?.values).toEqual(["9090"]);
  });
});
