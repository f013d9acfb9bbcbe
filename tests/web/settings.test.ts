import { describe, expect, it, test } from "vitest";
import { goTo, phone, visit } from "./support/browser.ts";
import { webSuite } from "./support/suite.ts";

const { hub, browser, enter } = webSuite();

/** In the texts that follow the browser's language. */
const month = new Intl.DateTimeFormat("en-GB", { month: "short" }).format();

describe("the settings", () => {
  it("list the machines that may ask, with when each was heard, and revoke one only after confirmation, which withdraws its questions", async () => {
    const { page } = await enter();
    await goTo(page, "/settings");
    await page.locator("[data-device]").first().waitFor();
    expect(await page.getByRole("heading", { name: "Machines" }).count()).toBe(0);
    const token = await hub().joined("build-7");
    await hub().joined("bastion");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ questions: [{ question: "Deploy?", type: "confirm" }] });
    const asked = await fetch(`${hub().url}/api/sessions`, { method: "POST", headers, body });
    const { id } = await asked.json();
    await page.reload();
    const section = page.getByRole("region", { name: "Machines" });
    const machine = section.locator("li", { hasText: "build-7" });
    await machine.getByText(/asks · heard/).waitFor();
    await section.locator("li", { hasText: "bastion" }).getByText("asks · not heard yet").waitFor();

    await machine.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Leave it" }).click();
    expect((await hub().view(id)).status).toBe("pending");
    await machine.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog", { name: "Revoke build-7?" }).getByRole("button", { name: "Revoke" }).click();
    await expect.poll(() => section.locator("li").count()).toBe(1);
    expect((await hub().view(id)).outcome).toMatchObject({ kind: "cancelled", reason: "The machine build-7 was removed." });
    expect((await fetch(`${hub().url}/api/sessions`, { method: "POST", headers, body })).status).toBe(401);
  });

  // promise: login-ends
  it("change language and colours at once, keep the choice, and are all in Chinese then; list the devices, and log out each only after confirmation", async () => {
    const { page, context } = await enter();
    const other = await visit(browser(), hub().loginUrl(), {
      userAgent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
    });
    await other.page.locator(".header").waitFor();
    await goTo(page, "/settings");
    const devices = page.locator("[data-device]");
    await expect.poll(() => devices.count()).toBe(2);
    await page.locator("[data-device]", { hasText: "this one" }).getByText("Chrome on Linux").waitFor();
    await page.getByRole("button", { name: /Log out.*Safari on iPhone/ }).click();
    await page.getByRole("button", { name: "Leave it" }).click();
    await expect.poll(() => devices.count()).toBe(2);

    await page.getByRole("button", { name: /Log out.*Safari on iPhone/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Log out" }).click();
    await expect.poll(() => devices.count()).toBe(1);
    await other.page.getByRole("heading", { name: "This inbox is locked" }).waitFor();
    await other.context.close();

    await goTo(page, "/");
    await page.getByRole("link", { name: "Settings" }).click();
    const undo = page.getByLabel("Time to undo an answer");
    await undo.waitFor();
    const seconds = await undo.locator("option").evaluateAll((all) => all.map((option) => Number((option as HTMLOptionElement).value)));
    expect([Math.min(...seconds), Math.max(...seconds)]).toEqual([0, 30]);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: "light" });
    const light = await background();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await background();
    expect(light).not.toBe(dark);
    await page.emulateMedia({ colorScheme: "light" });
    const settings = page.getByTestId("settings");
    await settings.getByLabel("Colours").selectOption("dark");
    await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
    expect(await background()).toBe(dark);
    await settings.getByLabel("Several questions").selectOption("page");
    await settings.getByLabel("Time to undo an answer").selectOption("10");
    await settings.getByLabel("Also play a sound").check();
    await settings.getByLabel("Language").selectOption("zh");
    await page.getByRole("heading", { name: "设置" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "设置" }).waitFor();
    expect(await page.evaluate(() => JSON.parse(localStorage.getItem("askbox.settings") ?? "{}") as unknown)).toMatchObject({
      theme: "dark",
      language: "zh",
      layout: "page",
      undoSeconds: 10,
      sound: true,
    });
    for (const [path, title] of [
      ["/settings", "设置"],
      ["/numbers", "统计"],
      ["/history", "历史"],
    ] as const) {
      await goTo(page, path);
      await page.getByRole("heading", { name: title, exact: true }).waitFor({ state: "attached" });
      await page.locator(".devices li, .nothing").first().waitFor();
      const words = await page.locator("body").evaluate((body) => (body.textContent ?? "").match(/[A-Za-z]{3,}/g) ?? []);
      expect(words.filter((word) => !["askbox", "English", "Chrome", "Linux", month].includes(word))).toEqual([]);
    }

    await page.evaluate(() => localStorage.removeItem("askbox.settings"));
    await goTo(page, "/settings");
    await page.getByRole("button", { name: "Log this browser out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Log this browser out" }).click();
    // The page shows this when the connection ends, and goes to the start page when the login is deleted.
    await page.waitForURL((url) => url.pathname === "/");
    await page.getByRole("heading", { name: "This inbox is locked" }).waitFor();
    expect(await context.cookies()).toEqual([]);
    await page.reload();
    await page.getByRole("heading", { name: "This inbox is locked" }).waitFor();
  });
});

test("on a phone every page is reached by touch: the header fits, what has no room is behind a button, and each target is large enough", async () => {
  await hub().ask({ questions: [{ question: "Deploy?", type: "confirm" }] });
  const { page } = await enter({ viewport: phone, hasTouch: true, isMobile: true });
  await page.locator(".row").waitFor();
  const header = page.locator(".header");
  const more = page.getByRole("button", { name: "More" });
  await more.waitFor();
  expect(await header.locator("nav").evaluate((nav) => nav.scrollWidth <= nav.clientWidth)).toBe(true);
  const height = (name: string) => header.getByRole("link", { name }).evaluate((link) => link.getBoundingClientRect().height);
  for (const [name, heading] of [
    ["Numbers", "Numbers"],
    ["Settings", "Settings"],
  ] as const) {
    await more.tap();
    expect(await height(name)).toBeGreaterThanOrEqual(44);
    await header.getByRole("link", { name }).tap();
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    // The menu has closed, and the page is marked where it is found.
    expect(await header.getByRole("link", { name }).count()).toBe(0);
  }
  for (const name of ["Agents", "History", "Inbox"]) {
    expect(await height(name)).toBeGreaterThanOrEqual(44);
    await header.getByRole("link", { name }).tap();
    await header.locator('[aria-current="page"]', { hasText: name }).waitFor();
  }
});
