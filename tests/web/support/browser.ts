import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type LaunchOptions, type Page } from "playwright-core";
import { watchScreens } from "./screens.ts";

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const offline = "--disable-background-networking";
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  offline,
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
];

/** The full Chromium: from `CHROMIUM_PATH`, which the test run sets, the system, or Playwright. */
const wholeBrowser = (): LaunchOptions => ({ args: quiet, executablePath: process.env["CHROMIUM_PATH"] ?? installed });

/** Its headless shell if there is one, which needs a third of the processor time, or else the full one. */
export function browserOptions(): LaunchOptions {
  const whole = wholeBrowser();
  return { ...whole, executablePath: process.env["HEADLESS_SHELL_PATH"] ?? whole.executablePath };
}

export const launchBrowser = (): Promise<Browser> => chromium.launch(browserOptions());

/** For features that the headless shell lacks, such as notifications. */
export const launchWholeBrowser = (): Promise<Browser> => chromium.launch(wholeBrowser());

export const wide = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };
const display = { viewport: wide, reducedMotion: "reduce", locale: "en-GB" } as const;

export interface OpenedPage {
  context: BrowserContext;
  page: Page;
  /** The page's problems: errors, policy violations, failed requests. */
  complaints: string[];
}

export type VisitOptions = BrowserContextOptions & { settings?: Record<string, unknown>; clock?: boolean };

/** A separate browser context; `settings` are those stored by the page, and `clock` gives its pages one that runs and can be moved. */
export async function newContext(browser: Browser, options: VisitOptions = {}): Promise<BrowserContext> {
  const { settings, clock = false, ...rest } = options;
  const context = await browser.newContext({ ...display, ...rest });
  await prepare(context, settings);
  if (clock) await context.clock.install();
  return context;
}

/**
 * A browser with a context that is kept in a folder, since a private one has no push service. `args` and `env` tell it where that and the
 * desktop are; it finds nothing else.
 */
export async function launchKeptBrowser(
  folder: string,
  { args, env }: { args: string[]; env: Record<string, string> },
): Promise<BrowserContext> {
  const { executablePath } = wholeBrowser();
  const context = await chromium.launchPersistentContext(folder, {
    ...display,
    executablePath,
    env: { ...process.env, ...env },
    args: [...quiet.filter((flag) => flag !== offline), "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", ...args],
    ignoreDefaultArgs: [offline],
  });
  await prepare(context);
  return context;
}

/** How long to wait for something in a page, in ms. */
const timeout = 15_000;

/** How many times slower than the machine's pages run their scripts, to find tests that are only right where pages are quick. */
const slowdown = Number(process.env["ASKBOX_TEST_CPU"] ?? 1);

/** For each context that a test opens pages in: what they show is told if the test fails. */
export function observe(context: BrowserContext): void {
  context.setDefaultTimeout(timeout);
  watchScreens(context);
  if (slowdown === 1) return;
  const slow = async (page: Page) => {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  };
  // It is sent before anything else for the page. A page that is closed by then needs none.
  const soon = (page: Page) => void slow(page).catch(() => {});
  for (const page of context.pages()) soon(page);
  context.on("page", soon);
}

async function prepare(context: BrowserContext, settings: Record<string, unknown> = {}): Promise<void> {
  observe(context);
  const stored = JSON.stringify({ notify: "off", undoSeconds: 0, ...settings });
  await context.addInitScript((value) => {
    if (localStorage.getItem("askbox.settings") === null) localStorage.setItem("askbox.settings", value);
  }, stored);
}

/** Opens a page that records its problems, in `blank` if given. */
export async function openPage(context: BrowserContext, url: string, blank?: Page): Promise<OpenedPage> {
  const page = blank ?? (await context.newPage());
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/WebSocket connection|ERR_CONNECTION_REFUSED/.test(message.text())) complaints.push(message.text());
  });
  await page.goto(url);
  return { context, page, complaints };
}

/** A page in a separate browser context. */
export async function visit(browser: Browser, url: string, options: VisitOptions = {}): Promise<OpenedPage> {
  return openPage(await newContext(browser, options), url);
}

/** Goes to another view by its URL, once logged in. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.locator(".header").waitFor();
  await page.goto(new URL(path, page.url()).href);
}

/** Shows another view of the page, which is not loaded again. */
export async function show(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
}

/** Resolves when the page's service worker is active, so that the page is available while the hub is away. */
export async function underControl(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller !== null) return;
    await new Promise((controlled) => navigator.serviceWorker.addEventListener("controllerchange", controlled, { once: true }));
  });
}
