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

/** What axe finds wrong with the page as it now is. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const results = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/** Elements that reach beyond the page or their pane. */
export async function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // What scrolls by itself, such as wide code, may be wide inside.
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
 * What is wrong with the page as it now is, in each of these sizes and in both colours. One page shows them all, since opening another takes longer than
 * looking at it. `ASKBOX_SHOTS` is a folder for pictures of what was looked at.
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

/** The page has drawn itself in its new size when this is done. */
export async function resize(page: Page, viewport: ViewportSize): Promise<void> {
  await page.setViewportSize(viewport);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}
