import type { Page } from "playwright-core";
import { launchBrowser, visit } from "../tests/web/support/browser.ts";
import { atMost, type BenchRow, percentile } from "./harness.ts";
import { startHub } from "./parts/start-hub.ts";

const pending = 500;
const keys = 200;
/** Pixels of one turn of the wheel. */
const turn = 400;

/** What the page keeps of the keys and of its frames, in ms. */
declare global {
  interface Window {
    echoes: number[];
    frameTimes: number[];
  }
}

/** What a list of 500 pending questions costs: a key typed beside it, and scrolling through it. */
export async function bench(): Promise<BenchRow[]> {
  const hub = await startHub();
  const browser = await launchBrowser();
  try {
    const { asker } = await hub.connect("asker");
    let first = "";
    for (let index = 0; index < pending; index += 1) {
      const { session } = await asker.ask(
        {
          questions: [{ id: "q", type: "text", question: `Question ${index} of ${pending}: what is it called?`, required: true }],
          timeout: 600_000 + index * 2_000,
        },
        { asker: { client: { name: "bench", version: "1" }, project: `/home/ada/p${index % 7}` }, maxWait: 0 },
      );
      first ||= session.id;
    }
    const { page } = await visit(browser, await hub.ask("login"));
    await page.waitForFunction((count) => document.querySelectorAll(".row").length === count, pending);
    const frames = await scroll(page);
    await page.locator(`[data-session="${first}"]`).click();
    const echoes = await type(page, ".question textarea");
    const { page: bare } = await visit(browser, "about:blank");
    await bare.setContent("<textarea></textarea>");
    const floor = percentile(await type(bare, "textarea"), 0.95);
    const name = `key to echo with ${pending} questions in the browser, p95; floor: a bare page`;
    return [
      atMost({ id: "web-echo", name, floor, askbox: percentile(echoes, 0.95), unit: "ms" }, 20),
      atMost(
        {
          id: "web-scroll",
          name: `longest frame while ${pending} questions are scrolled in the browser`,
          askbox: Math.max(...frames),
          unit: "ms",
        },
        50,
      ),
    ];
  } finally {
    await browser.close();
    await hub.close();
  }
}

/** Turns the wheel over the list down to its end and up again; the lengths of the frames. */
async function scroll(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    window.frameTimes = [];
    let before = performance.now();
    const count = (now: number) => {
      window.frameTimes.push(now - before);
      before = now;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  const { height } = await page.locator(".list").evaluate((list) => ({ height: list.scrollHeight }));
  await page.mouse.move(200, 400);
  // What came of setting up is over.
  await page.waitForTimeout(1_000);
  await page.evaluate(() => {
    window.frameTimes.length = 0;
  });
  for (const direction of [1, -1]) {
    for (let at = 0; at < height; at += turn) await page.mouse.wheel(0, direction * turn);
  }
  return page.evaluate(() => window.frameTimes);
}

/** Types into a field; how long each key took to the frame after it, from the time that the browser says it was pressed. */
async function type(page: Page, into: string): Promise<number[]> {
  const field = page.locator(into);
  await field.waitFor();
  await field.focus();
  await page.evaluate(() => {
    window.echoes = [];
    addEventListener(
      "keydown",
      ({ timeStamp }) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => window.echoes.push(performance.now() - timeStamp);
          port2.postMessage(null);
        });
      },
      { capture: true },
    );
  });
  for (let key = 0; key < keys; key += 1) await page.keyboard.press("abcdefgh"[key % 8] ?? "a", { delay: 5 });
  await page.waitForFunction((count) => window.echoes.length >= count, keys);
  return page.evaluate(() => window.echoes);
}
