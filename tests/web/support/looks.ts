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
  await page.evaluate(axe);
  const results = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
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
    const panes = [...document.querySelectorAll(".list, .detail, .page")].filter((pane) => pane.scrollWidth > pane.clientWidth);
    return [...wide.filter((element) => !scrolls(element.parentElement)), ...panes].map((element) => element.outerHTML.slice(0, 120));
  });
}

export const sizes = { wide, phone, narrow: { width: 320, height: 640 } } as const;

/**
 * The page's problems at each of these sizes and in both colour schemes. Uses one page for all, since opening another takes longer than
 * checking it. `ASKBOX_SHOTS` is a folder for screenshots.
 */
export async function flaws(page: Page, view: string, inSizes: Readonly<Record<string, ViewportSize>> = sizes): Promise<string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  for (const [size, viewport] of Object.entries(inSizes)) {
    await resize(page, viewport);
    found.push(...(await sideways(page)).map((element) => `${view}, ${size}, is too wide: ${element}`));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await violations(page)).map((problem) => `${view}, ${size}, ${colorScheme}: ${problem}`));
      const folder = process.env["ASKBOX_SHOTS"];
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${view} ${size} ${colorScheme}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await resize(page, before);
  return found;
}

/** Resolves when the page has been rendered in its new size. */
export async function resize(page: Page, viewport: ViewportSize): Promise<void> {
  await page.setViewportSize(viewport);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}
