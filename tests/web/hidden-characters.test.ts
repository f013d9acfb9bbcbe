import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { goTo } from "./support/browser.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

/** Reverses the text after it, is invisible, and is blank. */
const override = "\u202E";
const blank = "\u200B";
const hidden = /[\u200B\u202A-\u202E\u2060\u{E0041}]/u;

const hostile = {
  title: `Delete ${override}gnp.exe`,
  questions: [
    {
      id: "file",
      header: `tag${blank}`,
      type: "select" as const,
      question: `Open **photo${override}gnp.exe**?`,
      options: [
        { label: `Yes${blank}`, description: `now\u2060 and${override} here`, preview: `preview${override}gnp.exe` },
        { label: blank, value: "blank", recommended: true },
        { label: "ok", value: `o${override}k` },
      ],
    },
  ],
};

/** Everything the page shows and announces, except the contents of fields. */
const said = (page: Page) =>
  page.evaluate(() => {
    const names = ["title", "aria-label", "placeholder"];
    const attributes = [...document.querySelectorAll("[title], [aria-label], [placeholder]")].flatMap((element) =>
      names.map((name) => element.getAttribute(name) ?? ""),
    );
    return [document.body.textContent, ...attributes].join("\n");
  });

describe("invisible characters are shown as symbols, as in the terminal", () => {
  // promise: web-hidden-shown
  test("in the list, a question, its options and previews, in announcements, and in the history", async () => {
    const { page } = await enter();
    await page.getByText("You're all caught up").waitFor();
    const id = await hub().ask(hostile, { agentId: `a${override}b`, branch: `main${blank}`, project: `/home/ada/x${override}y` });
    const row = page.locator(`[data-session="${id}"]`);
    await row.getByText("Delete \uFFFDgnp.exe", { exact: true }).waitFor();
    expect(await page.getByTestId("arrivals").textContent()).toBe("New question: Delete \uFFFDgnp.exe");
    await row.click();
    await page.getByRole("radio", { name: "Yes\uFFFD" }).waitFor();
    await page.getByText("preview\uFFFDgnp.exe").waitFor();
    expect(await page.locator(".option-label").nth(1).textContent()).toContain("\uFFFD");
    expect(await page.locator(".question-text").textContent()).toContain("photo\uFFFDgnp.exe");
    expect(await said(page)).not.toMatch(hidden);
    await page.getByRole("radio", { name: "ok" }).check();
    await page.getByTestId("primary").click();
    await page.getByTestId("outcome").waitFor();
    expect(await said(page)).not.toMatch(hidden);
    const { outcome } = await until(async () => {
      const view = await hub().view(id);
      return view.status === "pending" ? undefined : view;
    }, "the outcome at the hub");
    // The agent gets its own value, unchanged.
    expect(outcome).toMatchObject({ answers: [{ values: [`o${override}k`] }] });
    await goTo(page, `/history/${id}`);
    await page.getByTestId("reader").waitFor();
    expect(await said(page)).not.toMatch(hidden);
  });
});
