import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const confirm = (title: string) => ({ title, questions: [{ question: `${title}?`, type: "confirm" as const }] });

/** Replaces what a headless browser lacks: notifications, which `window.told` records, and focus, which `window.inFront` sets. */
const desktop = () => {
  const told: { title: string; body?: string }[] = [];
  Object.assign(window, { told, inFront: true });
  Object.defineProperty(document, "hasFocus", { value: () => (window as unknown as { inFront: boolean }).inFront });
  class Note {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title: string, options: { body?: string }) {
      told.push({ title, body: options.body });
    }
    close() {}
  }
  Object.defineProperty(window, "Notification", { value: Note });
};
const told = (page: Page) => page.evaluate(() => (window as unknown as { told: { body?: string }[] }).told.map(({ body }) => body));

test("a question that arrives while the page is in the background causes a notification, if enabled", async () => {
  for (const notify of ["on", "off"]) {
    const { page } = await enter({ settings: { notify } });
    await page.addInitScript(desktop);
    // The login link must be processed first; a page reloaded before that has no login.
    await page.locator(".header").waitFor();
    await page.reload();
    await page.locator(".header").waitFor();
    await hub().ask(confirm(`Seen ${notify}`));
    await page.locator(".row-title").getByText(`Seen ${notify}`).waitFor();
    await page.evaluate(() => Object.assign(window, { inFront: false }));
    await hub().ask(confirm(`Missed ${notify}`));
    await page.locator(".row-title").getByText(`Missed ${notify}`).waitFor();
    await until(async () => (await page.getByTestId("arrivals").textContent())?.includes(`Missed ${notify}`) === true, "it was said");
    expect(await told(page)).toEqual(notify === "on" ? ["Missed on"] : []);
  }
});
