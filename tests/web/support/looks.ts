import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

declare global {
  interface Window {
    axe: { run(): Promise<AxeResults> };
  }
}

/** What axe finds wrong with the page as it now is. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const results = await page.evaluate(() => window.axe.run());
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
