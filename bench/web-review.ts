import type { Page } from "playwright-core";
import { launchBrowser, visit } from "../tests/web/support/browser.ts";
import { atMost, type BenchRow, median, percentile } from "./harness.ts";
import { startHub } from "./parts/start-hub.ts";

const reviews = 9;
const keys = 200;

/** What the page keeps of how long things took, in ms. */
declare global {
  interface Window {
    opened: number;
    pressed: number[];
  }
}

/** A diff of nearly 200 KB, in 58 files. */
function largeDiff(): string {
  const file = (index: number) => [
    `--- a/src/part-${index}.ts`,
    `+++ b/src/part-${index}.ts`,
    "@@ -1,60 +1,60 @@",
    ...Array.from({ length: 40 }, (_, line) => ` export const kept${line} = { part: ${index}, times: ${line} };`),
    ...Array.from({ length: 20 }, (_, line) => `-const before${line} = await read("a/${index}");`),
    ...Array.from({ length: 20 }, (_, line) => `+const after${line} = await read("b/${index}");`),
  ];
  return Array.from({ length: 58 }, (_, index) => file(index).join("\n")).join("\n");
}

/** What a review of 200 KB costs in the browser: opening it from the list, and going through its lines by keys. */
export async function bench(): Promise<BenchRow[]> {
  const hub = await startHub();
  const browser = await launchBrowser();
  try {
    const { asker } = await hub.connect("asker");
    const document = largeDiff();
    const ids: string[] = [];
    for (let index = 0; index < reviews; index += 1) {
      const { session } = await asker.ask(
        { questions: [{ id: "q", type: "review", question: `Review ${index}`, document, required: true }], timeout: 1_800_000 },
        { asker: { client: { name: "bench", version: "1" }, project: "/bench" }, maxWait: 0 },
      );
      ids.push(session.id);
    }
    const { page } = await visit(browser, await hub.ask("login"));
    await page.waitForFunction((count) => globalThis.document.querySelectorAll(".row").length === count, reviews);
    const paints: number[] = [];
    for (const id of ids) paints.push(await openReview(page, id));
    const pressed = await goThrough(page);
    const size = `${Math.round(document.length / 1_000)} KB`;
    return [
      atMost(
        { id: "web-review", name: `a review of ${size} opened to painted in the browser, p50`, askbox: median(paints), unit: "ms" },
        100,
      ),
      atMost(
        {
          id: "web-review-keys",
          name: `key to the next line of a review of ${size} in the browser, p95`,
          askbox: percentile(pressed, 0.95),
          unit: "ms",
        },
        20,
      ),
    ];
  } finally {
    await browser.close();
    await hub.close();
  }
}

/** Clicks a row; how long it takes until its diff is on the screen and takes keys. */
async function openReview(page: Page, id: string): Promise<number> {
  await page.evaluate((session) => {
    window.opened = Number.NaN;
    const begin = performance.now();
    const old = document.querySelector(".diff");
    const look = () => {
      const diff = document.querySelector(".diff[data-takes]");
      if (diff === null || diff === old) return;
      observer.disconnect();
      // A message that is sent within a frame's callbacks comes after the frame was painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          window.opened = performance.now() - begin;
        };
        port2.postMessage(null);
      });
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, attributes: true });
    document.querySelector<HTMLElement>(`[data-session="${session}"]`)?.click();
  }, id);
  await page.waitForFunction(() => !Number.isNaN(window.opened));
  return page.evaluate(() => window.opened);
}

/** Goes down line by line; how long each key took until its line was laid out. */
async function goThrough(page: Page): Promise<number[]> {
  await page.keyboard.press("v");
  await page.locator(".diff:focus").waitFor();
  await page.evaluate(() => {
    window.pressed = [];
    let pressed = 0;
    const press = ({ timeStamp }: KeyboardEvent) => {
      pressed = timeStamp;
    };
    // Called after whatever the page does at once, and what it has put off to the end of the event.
    const observer = new MutationObserver(() => {
      document.body.getBoundingClientRect();
      window.pressed.push(performance.now() - pressed);
    });
    observer.observe(document.body, { attributeFilter: ["data-at"], subtree: true });
    addEventListener("keydown", press, { capture: true });
  });
  for (let key = 0; key < keys; key += 1) await page.keyboard.press("j", { delay: 5 });
  await page.waitForFunction((count) => window.pressed.length >= count, keys);
  return page.evaluate(() => window.pressed);
}
