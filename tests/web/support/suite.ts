import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { connectBrowser } from "../../setup/browser.ts";
import { type Visit, visit } from "./browser.ts";
import { startWebHub, type WebHub } from "./web-hub.ts";

/** The run's browser; a hub and fresh visits for each of its tests, which must not complain of anything. */
export function webSuite(): {
  hub: () => WebHub;
  browser: () => Browser;
  enter: (options?: Parameters<typeof visit>[2]) => Promise<Visit>;
} {
  let browser: Browser | undefined;
  let hub: WebHub | undefined;
  const visits: Visit[] = [];
  const contexts = new Set<BrowserContext>();

  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    hub = await startWebHub();
  });
  afterEach(async () => {
    const complaints = visits.splice(0).flatMap((each) => each.complaints);
    for (const context of contexts) await context.close();
    contexts.clear();
    await hub?.close();
    expect(complaints).toEqual([]);
  });

  const running = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined) throw new Error("Use this inside a test.");
    return thing;
  };
  return {
    hub: () => running(hub),
    browser: () => running(browser),
    async enter(options) {
      const made = await visit(running(browser), running(hub).loginUrl(), options);
      visits.push(made);
      contexts.add(made.context);
      return made;
    },
  };
}
