import { parseAsk, standardPlatform } from "@askbox/core";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser, visit } from "../web/support/browser.ts";
import { startWebHub } from "../web/support/web-hub.ts";
import { bigAsks } from "./support/big-fields.ts";

const large = 300;
const megabyte = 1_048_576;

/** The longest time in ms for which the page was blocked so far. */
const longestTask = `new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => resolve(Math.max(...list.getEntries().map(({ duration }) => duration))));
  observer.observe({ type: "longtask", buffered: true });
  // One entry, so that the observer is called even if there were none.
  for (const began = performance.now(); performance.now() - began < 100; );
})`;

// promise: large-inbox-served
test("a large inbox with every field at its maximum delays the page only for a moment, with little memory", {
  tags: "nightly",
}, async () => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const hub = await startWebHub();
  onTestFinished(() => hub.close());
  const { ids } = standardPlatform(globalThis);
  const asker = hub.broker.asker("attacker");
  const requests = bigAsks().map(({ agentId, project, key: _, ...input }) => {
    return { request: parseAsk(input, { ids }), info: { client: { name: "attacker" }, agentId, project } };
  });
  for (let number = 0; number < large; number += 1) {
    const { request, info } = requests[number % requests.length] as (typeof requests)[number];
    await asker.ask(request, { asker: info, key: `${number}`, maxWait: 0, earlier: false });
  }
  const { page, context, complaints } = await visit(browser, hub.loginUrl());
  await page.locator(".header").waitFor();
  const { items } = await hub.desk().list({ statuses: ["pending"], limit: requests.length });
  // Within the page, like its links.
  for (const { id } of items.slice(0, 12)) {
    await page.evaluate((path) => {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
    }, `/s/${id}`);
    await page.locator(".question").first().waitFor();
  }
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.POSITIVE_INFINITY;
  expect(await page.evaluate<number>(longestTask)).toBeLessThan(5_000);
  expect(heap / megabyte).toBeLessThan(800);
  expect(complaints).toEqual([]);
});
