import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { connectBrowser } from "../../setup/browser.ts";
import { newContext, type OpenedPage, openPage, type VisitOptions } from "./browser.ts";
import { tellScreens } from "./screens.ts";
import { startWebHub, type WebHub } from "./web-hub.ts";

/** The run's browser, or one started by `launch`; a hub and new visits for each test, which must not report problems. */
export function webSuite(launch: () => Promise<Browser> = connectBrowser): {
  hub: () => WebHub;
  browser: () => Browser;
  /**
   * Opens a page in a logged-in browser. `own` is for a test that changes something shared by all pages, as does moving the `clock`. The page has no
   * service worker, whose installation takes a quarter of the time, unless `serviceWorkers` is "allow".
   */
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
  afterEach(async (context) => {
    await tellScreens(context);
    const complaints = visits.splice(0).flatMap((each) => each.complaints);
    for (const end of ends.splice(0)) await end();
    await hub?.close();
    expect(complaints).toEqual([]);
  });

  const running = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined) throw new Error("Use this inside a test.");
    return thing;
  };

  async function contextFor({ own: isOwn = false, ...rest }: NonNullable<Parameters<ReturnType<typeof webSuite>["enter"]>[0]>) {
    const options = { serviceWorkers: "block" as const, ...rest };
    const own = isOwn || options.clock === true;
    const key = JSON.stringify(options);
    const free = idle.get(key) ?? [];
    idle.set(key, free);
    const context = (own ? undefined : free.pop()) ?? (await newContext(running(browser), options));
    ends.push(async () => {
      if (own) return context.close();
      for (const page of context.pages()) await page.close();
      free.push(context);
    });
    return context;
  }

  return {
    hub: () => running(hub),
    browser: () => running(browser),
    async enter(options = {}) {
      const { url, loginUrl } = running(hub);
      const context = await contextFor(options);
      const page = await context.newPage();
      await forget(page, url);
      const made = await openPage(context, loginUrl(), page);
      visits.push(made);
      return made;
    },
  };
}

/** A hub of an earlier test may have used the same port. */
async function forget(page: Page, origin: string): Promise<void> {
  await page.context().clearCookies();
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.detach();
}
