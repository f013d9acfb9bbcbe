import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { goTo } from "./support/browser.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const sure = (title: string) => ({ title, timeout: 600_000, questions: [{ question: "Sure?", type: "confirm" as const }] });

/** Replaces what a headless browser lacks: a background window, and a loudspeaker, which `window.sounds` counts. */
const behind = () => {
  Object.assign(window, { sounds: 0 });
  Object.defineProperty(document, "hasFocus", { value: () => false });
  class Loudspeaker {
    constructor() {
      (window as unknown as { sounds: number }).sounds += 1;
      throw new Error("There is none.");
    }
  }
  Object.defineProperty(window, "AudioContext", { value: Loudspeaker });
};
const sounds = (page: Page) => page.evaluate(() => (window as unknown as { sounds: number }).sounds);

/** A browser as on phones: it has notifications, but not for pages. */
const phone = () => {
  class Note {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor() {
      throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.");
    }
  }
  Object.defineProperty(window, "Notification", { value: Note });
  Object.defineProperty(document, "hasFocus", { value: () => false });
};

test("title, icon, a sound and a line for screen readers announce a new question and its approaching end", async () => {
  const { page } = await enter({ own: true });
  await page.locator(".header").waitFor();
  await page.addInitScript(behind);
  await page.clock.install();
  await page.reload();
  await page.getByText("You're all caught up").waitFor();
  await hub().ask(sure("Deploy"));
  await until(async () => (await page.title()) === "(1) askbox", "the count");
  // There is no sound unless it is turned on.
  await until(async () => (await page.getByTestId("arrivals").textContent()) === "New question: Deploy", "it is said");
  expect(await sounds(page)).toBe(0);
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByLabel("Also play a sound").check();
  await page.keyboard.press("Escape");
  await hub().ask({ ...sure("Rename"), timeout: 1_200_000 });
  await until(async () => (await sounds(page)) === 1, "the first sound");
  await until(async () => (await page.title()) === "(2) askbox", "the count");
  const icon = () => page.locator('link[rel="icon"]').getAttribute("href");
  const calm = await icon();
  // Two minutes before the end.
  await page.clock.fastForward(470_000);
  expect(await page.title()).toBe("(2) askbox");
  await page.clock.fastForward(15_000);
  await until(async () => (await page.title()) === "(2!) askbox", "the sign in the title");
  await until(async () => (await page.getByTestId("arrivals").textContent()) === "Ends soon: Deploy", "it is said");
  await until(async () => (await sounds(page)) === 2, "the second sound");
  expect(await icon()).not.toBe(calm);
});

test("the switch for notifications stays or turns off if the browser shows none for a page, and says so, as it does if they are blocked", async () => {
  const { page } = await enter();
  await page.locator(".header").waitFor();
  await page.addInitScript(phone);
  await goTo(page, "/settings");
  const toggle = page.getByTestId("settings").getByLabel("Notify me of new questions");
  await toggle.click();
  await page.getByText("This browser doesn't show notifications for a page").waitFor();
  expect(await toggle.isChecked()).toBe(false);
  await page.reload();
  await page.getByText("This browser doesn't show notifications for a page").waitFor();
  expect(await toggle.isChecked()).toBe(false);

  await page.evaluate(() => localStorage.setItem("askbox.settings", JSON.stringify({ notify: "on" })));
  await goTo(page, "/");
  await page.getByText("You're all caught up").waitFor();
  await hub().ask(sure("Deploy"));
  await page.locator(".row").waitFor();
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByText("This browser doesn't show notifications for a page").waitFor();
  expect(await page.getByLabel("Notify me of new questions").isChecked()).toBe(false);

  await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "denied" }));
  await goTo(page, "/settings");
  await page.getByText("The browser blocks notifications from this page. Allow them in the browser's settings for this site.").waitFor();
  expect(await toggle.isDisabled()).toBe(true);
});
