import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page, ViewportSize } from "playwright-core";
import { phone, wide } from "./browser.ts";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

declare global {
  interface Window {
    axe: { run(options: RunOptions): Promise<AxeResults> };
  }
}

/** The problems that axe finds on the page. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"], preload: false }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/** Elements that extend beyond the page or their pane. */
export async function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // The contents of a scrollable element, such as wide code, may be wide.
    const scrolls = (element: Element | null): boolean =>
      element !== null && (["auto", "scroll"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const wide = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(".visually-hidden, .code, .table-scroll"),
    );
    const panes = [...document.querySelectorAll(".list, .detail, .page, dialog[open]")].filter(
      (pane) => pane.scrollWidth > pane.clientWidth,
    );
    return [...wide.filter((element) => !scrolls(element.parentElement)), ...panes].map((element) => element.outerHTML.slice(0, 120));
  });
}

/** Texts that are cut to a few letters, but for an excerpt, which gives way to what is beside it. */
async function cutShort(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("body :not(.row-excerpt)")]
      .filter((element) => element.clientWidth > 1 && element.clientWidth < Math.min(48, element.scrollWidth))
      .filter((element) => getComputedStyle(element).textOverflow === "ellipsis")
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

/** Names that several buttons have. */
export async function sameNames(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const buttons = [...document.querySelectorAll<HTMLElement>("button")].filter((button) => button.checkVisibility());
    const names = buttons.map((button) => (button.ariaLabel ?? button.textContent ?? "").trim());
    return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  });
}

export const sizes = { wide, phone, narrow: { width: 320, height: 640 } } as const;

/** Where `flaws` are searched for, by default at each size and in each colour scheme. */
interface FlawsOptions {
  inSizes?: Readonly<Record<string, ViewportSize>>;
  schemes?: readonly ("light" | "dark")[];
}

/**
 * The page's problems. What is too wide is searched for at each of these sizes. Axe runs at the first in light colours and at the last in dark
 * ones: no breakpoint is between the phones' widths, so it would find the same at another. `ASKBOX_SHOTS` is a folder for screenshots.
 */
export async function flaws(
  page: Page,
  view: string,
  { inSizes = sizes, schemes = ["light", "dark"] }: FlawsOptions = {},
): Promise<string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  const names = Object.keys(inSizes);
  const checked = { light: names[0], dark: names.at(-1) };
  for (const [size, viewport] of Object.entries(inSizes)) {
    await resize(page, viewport);
    found.push(...(await sideways(page)).map((element) => `${view}, ${size}, is too wide: ${element}`));
    found.push(...(await cutShort(page)).map((element) => `${view}, ${size}, is cut short: ${element}`));
    for (const colorScheme of schemes) {
      const folder = process.env["ASKBOX_SHOTS"];
      const isChecked = size === checked[colorScheme];
      if (!isChecked && folder === undefined) continue;
      await page.emulateMedia({ colorScheme });
      if (isChecked) found.push(...(await violations(page)).map((problem) => `${view}, ${size}, ${colorScheme}: ${problem}`));
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${view} ${size} ${colorScheme}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await resize(page, before);
  return found;
}

/** Resolves when the browser shows what the page is now. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Resolves when the page has been rendered in its new size. */
export async function resize(page: Page, viewport: ViewportSize): Promise<void> {
  await page.setViewportSize(viewport);
  await drawn(page);
}
