import type { BrowserContext, Page } from "playwright-core";
import type { TestContext } from "vitest";

/** The pages that are open, the latest last. */
const open = new Set<Page>();

/** As much of a page's text as a message has room for, in characters. */
const shownText = 2_000;

/** How long a page may take to say what it shows, in ms: one that hangs says nothing. */
const timeout = 2_000;

/** Has every page of the context in what `tellScreens` says. */
export function watchScreens(context: BrowserContext): void {
  const add = (page: Page) => {
    open.add(page);
    page.on("close", () => open.delete(page));
  };
  for (const page of context.pages()) add(page);
  context.on("page", add);
}

async function screen(page: Page): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: a person doesn't see all of that.
  const text = await page.locator("body").innerText({ timeout }).catch(String);
  const short = text.replace(/\s*\n\s*/g, "\n").trim();
  return `${page.url()}\n${short.length > shownText ? `${short.slice(0, shownText)}…` : short}`;
}

/** Adds to a failed test's messages what its pages show. For `afterEach`, before the pages are closed. */
export async function tellScreens({ task: { result } }: Pick<TestContext, "task">): Promise<void> {
  if (result?.state !== "fail" || open.size === 0) return;
  const screens = await Promise.all([...open].map(screen));
  for (const error of result.errors ?? []) {
    const message = [error.message, ...screens].join("\n\nOn the screen: ");
    error.stack = error.stack?.replace(error.message, () => message);
    error.message = message;
  }
}
