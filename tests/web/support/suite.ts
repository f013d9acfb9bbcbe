import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { connectBrowser } from "../../setup/browser.ts";
import { newContext, type OpenedPage, openPage, type VisitOptions } from "./browser.ts";
import { startWebHub, type WebHub } from "./web-hub.ts";

/** The run's browser, or one started by `launch`; a hub and new visits for each test, which must not report problems. */
export function webSuite(launch: () => Promise<Browser> = connectBrowser): {
  hub: () => WebHub;
  browser: () => Browser;
  /** Opens a page in a logged-in browser. `own` is for a test that changes something shared by all pages, such as the clock. */
  enter: (options?: VisitOptions & { own?: boolean }) => Promise<OpenedPage>;
} {
  let browser: Browser | undefined;
  let hub: WebHub | undefined;
  const visits: OpenedPage[] = [];
  /** Reused by later tests with the same options, since a new one takes Chromium longer than most tests. */
  const idle = new Map<string, BrowserContext[]>();
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    hub = await startWebHub();
  });
  afterEach(async () => {
    const complaints = visits.splice(0).flatMap((each) => each.complaints);
    for (const end of ends.splice(0)) await end();
    await hub?.close();
    expect(complaints).toEqual([]);
  });

  const running = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined) throw new Error("Use this inside a test.");
    return thing;
  };

  async function contextFor({ own = false, ...options }: NonNullable<Parameters<ReturnType<typeof webSuite>["enter"]>[0]>) {
    const key = JSON.stringify(options);
    const free = idle.get(key) ?? [];
    idle.set(key, free);
    const used = own ? undefined : free.pop();
    const context = used ?? (await newContext(running(browser), options));
    ends.push(async () => {
      if (own) return context.close();
      for (const page of context.pages()) await page.close();
      free.push(context);
    });
    if (used !== undefined) await forget(context, running(hub).url);
    return context;
  }

  return {
    hub: () => running(hub),
    browser: () => running(browser),
    async enter(options = {}) {
      const made = await openPage(await contextFor(options), running(hub).loginUrl());
      visits.push(made);
      return made;
    },
  };
}

/** A hub of an earlier test may have used the same port. */
async function forget(context: BrowserContext, origin: string): Promise<void> {
  await context.clearCookies();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await page.close();
}
