import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { goTo, underControl, visit } from "./support/browser.ts";
import { webSuite } from "./support/suite.ts";
import { builtPage, startWebHub } from "./support/web-hub.ts";

const { hub, browser, enter } = webSuite();

const cached = (page: Page) =>
  page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of await caches.keys()) {
      for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname);
    }
    return paths;
  });

describe("the installed page", () => {
  it("caches only the shell, and opens without its hub, says so, and updates when the hub is back", async () => {
    await hub().ask({ questions: [{ question: "A secret?", type: "text" }] });
    const { page } = await enter({ serviceWorkers: "allow" });
    await underControl(page);
    for (const path of ["/history", "/numbers", "/settings"]) await goTo(page, path);
    await page.locator("[data-device]").waitFor();
    await page.evaluate(() => fetch("/healthz"));
    const paths = await cached(page);
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((path) => !/^\/($|assets\/|icon\.svg$|manifest\.webmanifest$)/.test(path))).toEqual([]);
    await goTo(page, "/");
    await hub().down();
    await page.reload();
    await page
      .getByText(/(Connecting to the hub|Connection to the hub lost).* If it has stopped, run askbox hub on its machine\./)
      .waitFor();
    await hub().up();
    const id = await hub().ask({ questions: [{ question: "Still here?", type: "confirm" }] });
    await page.locator(`[data-session="${id}"]`).waitFor();
  });

  it("uses a newer build when it is next opened, and offers it to an open page", { tags: "nightly" }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "askbox-page-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await cp(builtPage, folder, { recursive: true });
    const changing = await startWebHub({ page: folder });
    onTestFinished(() => changing.close());
    const { page, context } = await visit(browser(), changing.loginUrl());
    onTestFinished(() => context.close());
    await underControl(page);

    const replace = async (file: string, change: (text: string) => string) =>
      writeFile(join(folder, file), change(await readFile(join(folder, file), "utf8")));
    await replace("service-worker.js", (text) => text.replace(/"version":"\w+/, (found) => `${found}2`));
    await replace("index.html", (text) => text.replace("<body>", '<body data-build="2">'));
    await changing.down();
    await changing.up();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.locator("body[data-build='2']").waitFor();
    expect(await page.evaluate(async () => (await caches.keys()).length)).toBe(1);
    await page.locator(".header").waitFor();
    expect(await page.getByRole("button", { name: "Reload" }).count()).toBe(0);
  });
});
