import type { Page } from "playwright-core";
import { launchBrowser, visit } from "../tests/web/support/browser.ts";
import { atMost, type BenchRow, percentile } from "./harness.ts";
import { startHub } from "./parts/start-hub.ts";

const pending = 500;
const keys = 200;
/** Questions answered one after the other, before the rest is measured. */
const answered = 20;
/** Pixels of one turn of the wheel. */
const turn = 400;

/** What the page keeps of the keys and of its long frames, in ms, and the elements that moved. */
declare global {
  interface Window {
    echoes: number[];
    frameTimes: number[];
    moved: string[];
  }
}

/** What a list of 500 pending questions costs: a key typed beside it, and scrolling through it; and what moves while some are answered. */
export async function bench(): Promise<BenchRow[]> {
  const hub = await startHub();
  const browser = await launchBrowser();
  try {
    const { asker } = await hub.connect("asker");
    let first = "";
    for (let index = 0; index < pending + answered; index += 1) {
      const { session } = await asker.ask(
        {
          questions: [{ id: "q", type: "text", question: `Question ${index} of ${pending}: what is it called?`, required: true }],
          timeout: 600_000 + index * 2_000,
        },
        { asker: { client: { name: "bench", version: "1" }, project: `/home/ada/p${index % 7}` }, maxWait: 0 },
      );
      if (index === answered) first = session.id;
    }
    const { page: triaged } = await visit(browser, await hub.ask("login"), { settings: { undoSeconds: 5 } });
    const moved = await triage(triaged);
    await triaged.close();
    const { page } = await visit(browser, await hub.ask("login"));
    await page.waitForFunction((count) => document.querySelectorAll(".row").length === count, pending);
    const frames = await scroll(page);
    await page.locator(`[data-session="${first}"]`).click();
    const echoes = await type(page, ".question textarea");
    const { page: bare } = await visit(browser, "about:blank");
    await bare.setContent("<textarea></textarea>");
    const floor = percentile(await type(bare, "textarea"), 0.95);
    const name = `key to letter with ${pending} questions in the browser, p95; floor: a bare page`;
    return [
      atMost({ id: "web-echo", name, floor, askbox: percentile(echoes, 0.95), unit: "ms" }, 20),
      atMost(
        {
          id: "web-scroll",
          name: `longest frame while ${pending} questions are scrolled in the browser`,
          askbox: Math.max(0, ...frames),
          unit: "ms",
        },
        50,
      ),
      atMost(
        {
          id: "web-shift",
          name: `what moves, except rows that move up, while ${answered} of ${pending} questions are answered in the browser`,
          askbox: moved.length,
          unit: "elements",
        },
        0,
      ),
    ];
  } finally {
    await browser.close();
    await hub.close();
  }
}

/** Turns the wheel over the list down to its end and up again; ms of the frames that the browser calls long, of more than 50 ms. */
async function scroll(page: Page): Promise<number[]> {
  const { height } = await page.locator(".list").evaluate((list) => ({ height: list.scrollHeight }));
  await page.mouse.move(200, 400);
  // What came of setting up is over.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)).then(() => undefined));
  await page.evaluate(() => {
    window.frameTimes = [];
    const observer = new PerformanceObserver((list) => window.frameTimes.push(...list.getEntries().map(({ duration }) => duration)));
    observer.observe({ type: "long-animation-frame" });
  });
  for (const direction of [1, -1]) {
    for (let at = 0; at < height; at += turn) await page.mouse.wheel(0, direction * turn);
  }
  // Two frames later whatever was long has been reported.
  return page.evaluate(
    () => new Promise<number[]>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.frameTimes)))),
  );
}

/**
 * Answers questions by keyboard, one after the other, until the last toast has gone; the elements that the browser says have moved meanwhile,
 * whether after a key or not, except rows that move up, and times that become shorter by themselves.
 */
async function triage(page: Page): Promise<string[]> {
  await page.waitForFunction((count) => document.querySelectorAll(".row").length === count, pending);
  await page.evaluate(() => {
    type Shift = PerformanceEntry & { sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] };
    window.moved = [];
    const observer = new PerformanceObserver((list) => {
      for (const { node, previousRect: before, currentRect: after } of (list.getEntries() as Shift[]).flatMap(({ sources }) => sources)) {
        const element = node instanceof Element ? node : node?.parentElement;
        const isRowUp = element?.matches(".list li") && before.x === after.x && before.y > after.y;
        if (element != null && !isRowUp && element.closest(".row-time, .session-time") === null) window.moved.push(element.outerHTML);
      }
    });
    observer.observe({ type: "layout-shift" });
  });
  await page.keyboard.press("Enter");
  const open = page.locator(".question .question-text");
  for (let index = 0; index < answered; index += 1) {
    await page.locator(".question textarea").fill("a name");
    const question = await open.textContent();
    // A key that comes too soon after an answer is not meant for the next question.
    while ((await open.textContent()) === question) await page.keyboard.press("Enter");
  }
  await page.locator(".toast").last().waitFor({ state: "detached" });
  return page.evaluate(() => window.moved);
}

/**
 * Types into a field; how long each key took until its letter was laid out, from the time that the browser says it was pressed. What follows is
 * the browser's own: the wait for the screen's next frame, and drawing, which takes this machine's processors where there is no graphics card.
 */
async function type(page: Page, into: string): Promise<number[]> {
  const field = page.locator(into);
  await field.waitFor();
  await field.focus();
  await page.evaluate(() => {
    window.echoes = [];
    let pressed = 0;
    const press = ({ timeStamp }: KeyboardEvent) => {
      pressed = timeStamp;
    };
    addEventListener("keydown", press, { capture: true });
    // After whatever the page does at once, and what it has put off to the end of the event.
    addEventListener("input", () =>
      queueMicrotask(() => {
        document.body.getBoundingClientRect();
        window.echoes.push(performance.now() - pressed);
      }),
    );
  });
  for (let key = 0; key < keys; key += 1) await page.keyboard.press("abcdefgh"[key % 8] ?? "a", { delay: 5 });
  await page.waitForFunction((count) => window.echoes.length >= count, keys);
  return page.evaluate(() => window.echoes);
}
