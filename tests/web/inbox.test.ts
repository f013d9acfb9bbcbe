import { expect, test } from "vitest";
import { visit } from "./support/browser.ts";
import { flaws } from "./support/flaws.ts";
import { logInByHttp } from "./support/http-login.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, browser, enter } = webSuite();

const confirm = (title: string) => ({ title, questions: [{ question: `${title}?`, type: "confirm" as const }] });

// promise: used-login-link-noticed
test("without a login the page only says how to log in; a login link works once and leaves no trace, an invalid one never works", async () => {
  await hub().ask(confirm("Secret plan"));
  const { page, context } = await visit(browser(), hub().url);
  await page.getByRole("heading", { name: "This inbox is locked" }).waitFor();
  await page.getByText("askbox open", { exact: true }).waitFor();
  expect(await page.content()).not.toContain("Secret plan");
  expect(await flaws(page, "locked")).toEqual([]);
  await context.close();

  await hub().ask(confirm("Deploy"));
  const link = hub().loginUrl();
  const first = await visit(browser(), link);
  await first.page.locator(".row-title").getByText("Deploy").waitFor();
  expect(first.page.url()).toBe(`${hub().url}/`);
  await first.page.reload();
  await first.page.locator(".row-title").getByText("Deploy").waitFor();
  const second = await visit(browser(), link);
  await second.page.getByText("This login link has been used").waitFor();
  expect(second.page.url()).not.toContain("login");
  const third = await visit(browser(), `${hub().url}/#login=guessed`);
  await third.page.getByText("This login link has been used").waitFor();
  for (const { context } of [first, second, third]) await context.close();
});

// promise: page-keeps-no-secret, cookie-overwritten
test("a browser that logs in again is listed once, and its other tab continues to work; a cookie overwritten by another port logs nobody out; the stored login cannot be read by a script, and the page is locked without it", async () => {
  await hub().ask(confirm("Deploy"));
  const { page, context } = await enter();
  await page.locator(".row-title").getByText("Deploy").waitFor();
  const again = await context.newPage();
  await again.goto(hub().loginUrl());
  await again.locator(".row-title").getByText("Deploy").waitFor();
  const { list } = await logInByHttp(hub().url, hub().loginUrl());
  await until(async () => (await list()).length === 2, "the former login to be ended");
  await hub().ask(confirm("Rename"));
  await page.getByText("Rename").first().waitFor();
  await again.close();

  const [cookie] = await context.cookies();
  await context.addCookies([{ name: cookie?.name ?? "", value: "overwritten", domain: "127.0.0.1", path: "/" }]);
  await page.reload();
  await page.locator(".row-title").getByText("Deploy").waitFor();
  const kept = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open("askbox");
      opening.onsuccess = () => resolve(opening.result);
    });
    const login = await new Promise<{ key: CryptoKey }>((resolve) => {
      const reading = database.transaction("login").objectStore("login").get("this browser");
      reading.onsuccess = () => resolve(reading.result);
    });
    const exported = await crypto.subtle.exportKey("raw", login.key).then(
      () => "exported",
      (error: DOMException) => error.name,
    );
    database.close();
    return { exported, extractable: login.key.extractable, words: JSON.stringify({ ...localStorage, ...sessionStorage }) };
  });
  expect(kept).toMatchObject({ exported: "InvalidAccessError", extractable: false, words: expect.not.stringContaining("abx_") });
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.deleteDatabase("askbox").onsuccess = resolve;
      }),
  );
  await page.reload();
  await page.getByRole("heading", { name: "This inbox is locked" }).waitFor();
});

// promise: inbox-shows-who-asks
test("questions are grouped by project, counted in the title, and found by search; a new one takes neither focus nor text, and is announced", async () => {
  await hub().ask(confirm("Deploy"), { project: "/home/ada/site" });
  await hub().ask(confirm("Rename"), { project: "/home/ada/engine", branch: "feat/names", agentId: "backend" });
  const { page } = await enter();
  await page.getByRole("button", { name: "Order and view" }).click();
  await page.getByLabel("Groups").selectOption("project");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "engine" }).waitFor();
  await page.getByRole("heading", { name: "site" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "site" }).waitFor();
  await until(async () => (await page.title()) === "(2) askbox", "the count in the title");
  const icon = page.locator('link[rel="icon"]');
  await until(async () => (await icon.getAttribute("href"))?.startsWith("data:image/png"), "the count in the icon");
  await page.locator(".row", { hasText: "Rename" }).focus();
  await page.locator(".peek").getByText("feat/names").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("backend");
  await until(async () => (await page.locator(".row").count()) === 1, "one row");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("combobox", { name: "Project" }).selectOption({ label: "site" });
  await until(async () => (await page.locator(".row-title").allInnerTexts()).join() === "Deploy", "the project's question");
  await page.getByRole("combobox", { name: "Project" }).selectOption("");

  const id = await hub().ask({ title: "First", questions: [{ question: "Name?", type: "text" }] });
  await page.locator(`[data-session="${id}"]`).click();
  const field = page.locator(".question textarea");
  await field.click();
  await page.keyboard.type("half a");
  await hub().ask(confirm("Second"));
  await page.locator(".row-title").getByText("Second").waitFor();
  await page.keyboard.type(" word");
  expect(await field.inputValue()).toBe("half a word");
  await until(async () => (await page.getByTestId("arrivals").textContent()) === "New question: Second", "the new question is said");
});
