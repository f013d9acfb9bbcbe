import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { scenes } from "../tests/web/support/believable.ts";
import { launchBrowser, newContext, openPage, phone } from "../tests/web/support/browser.ts";
import { readIt } from "../tests/web/support/read-it.ts";
import { startWebHub, type WebHub } from "../tests/web/support/web-hub.ts";
import { movingPicture, type Shot } from "./moving-picture.ts";
import { root } from "./run.ts";

/**
 * Draws `docs/images/moving-*.png`, moving pictures of 20 seconds: a person answers agents in the real page, with keys and on a phone. Run
 * `pnpm build` first. All clocks only move by the times of the picture. With a folder, each single picture is written there, to look at.
 */
const folder = resolve(root, "docs/images");
const [singles] = process.argv.slice(2);
/** In bytes: what a README may ask of those who open it. */
const largest = 1_500_000;
/** In ms. */
const length = 20_000;
/** A Wednesday afternoon. */
const now = new Date(2026, 10, 18, 15, 42).getTime();

const desk = { width: 1200, height: 700 };
const handheld = { width: phone.width, height: desk.height - 56 };

/** Several agents ask at the same time; the most urgent first. */
async function ask({ ask }: WebHub): Promise<{ command: string; access: string }> {
  const ledger = { project: "/home/ada/ledger-api", branch: "drop-legacy" };
  const shop = { project: "/home/ada/storefront", branch: "checkout-v2" };
  const command = await ask({ ...scenes.staging.input, timeout: 600_000 }, { ...ledger, client: "codex" });
  await ask({ ...scenes.retries.input, timeout: 840_000 }, { ...shop, branch: "payment", client: "gemini-cli" });
  const access = await ask({ ...scenes.access.input, timeout: 960_000 }, { project: "/home/ada/infra", client: "opencode" });
  await ask({ ...scenes.tests.input, timeout: 1_140_000 }, shop);
  await ask({ ...scenes.migration.input, timeout: 1_260_000 }, { ...ledger, client: "cursor" });
  await ask({ ...scenes.styling.input, timeout: 1_500_000 }, shop);
  await ask({ ...scenes.naming.input, timeout: 1_560_000 }, { ...ledger, branch: "rates", client: "codex" });
  await ask({ ...scenes.rollout.input, timeout: 1_680_000 }, { ...shop, branch: "search" });
  await ask({ ...scenes.release.input, timeout: 1_740_000 }, { ...shop, branch: "main" });
  return { command, access };
}

/** What surrounds the page in the picture: below it what the person does, and over it a phone. */
const stage = `<!doctype html><style>
  body { margin: 0; width: ${desk.width}px; background: #fff; font: 15px/44px system-ui, sans-serif; color: #1c1c1f }
  img { display: block }
  #caption { height: 44px; padding-left: 16px; background: #1f2a5c; color: #fff }
  kbd { font: inherit; font-weight: 600; padding: 3px 9px; margin-right: 6px; border-radius: 5px; background: #fff; color: #1f2a5c }
  #phone { position: absolute; right: 24px; top: 20px; border: 8px solid #4b4b52; border-radius: 30px; overflow: hidden }
  #edge { position: absolute; inset: 0; border: 1px solid #a9a59d }
  #phone[hidden] { display: none }
</style><img id="desk" width="${desk.width}" height="${desk.height}"><div id="caption"></div>
<div id="phone" hidden><img id="hand" width="${handheld.width}" height="${handheld.height}"></div><div id="edge"></div>`;

const lengthOf = (shots: readonly Shot[]): number => shots.reduce((sum, { delay }) => sum + delay, 0);

async function record(browser: Browser, colorScheme: "light" | "dark"): Promise<void> {
  const hub = await startWebHub({ now: () => now });
  const { command, access } = await ask(hub);
  hub.hold();

  /** A page whose clock stands still. */
  async function enter(options: Parameters<typeof newContext>[1]): Promise<Page> {
    const context = await newContext(browser, { ...options, colorScheme, settings: { undoSeconds: 5 } });
    await context.clock.install({ time: now });
    const { page } = await openPage(context, hub.loginUrl());
    await page.locator(`[data-session="${command}"]`).waitFor();
    await page.clock.pauseAt(now + 60_000);
    return page;
  }
  const page = await enter({ viewport: desk });
  const hand = await enter({ viewport: handheld, isMobile: true, hasTouch: true });
  const picture = await browser.newPage({ viewport: { width: desk.width, height: desk.height + 44 } });
  await picture.setContent(stage);

  const shots: Shot[] = [];
  let caption = "";
  let isOnPhone = false;

  async function pass(ms: number): Promise<void> {
    hub.skip(ms);
    for (const each of [page, hand]) await each.clock.runFor(ms);
  }

  /** Shows what is there now for so long. */
  async function show(ms: number): Promise<void> {
    // What an action has brought is drawn.
    await pass(40);
    const screens = [page, ...(isOnPhone ? [hand] : [])].map((each) => each.screenshot({ animations: "disabled", caret: "hide" }));
    const [onDesk, inHand] = (await Promise.all(screens)).map((png) => `data:image/png;base64,${png.toString("base64")}`);
    await picture.evaluate(
      async ([caption = "", onDesk = "", inHand]) => {
        const put = (id: string, src: string) => {
          const image = document.getElementById(id) as HTMLImageElement;
          image.src = src;
          return image.decode();
        };
        (document.getElementById("caption") as HTMLElement).innerHTML = caption;
        (document.getElementById("phone") as HTMLElement).hidden = inHand === undefined;
        await Promise.all([put("desk", onDesk), inHand !== undefined && put("hand", inHand)]);
      },
      [caption, onDesk, inHand],
    );
    shots.push({ png: await picture.screenshot(), delay: ms });
    await pass(Math.max(0, ms - 40));
  }

  /** Presses a key, named in the caption with what it does. */
  async function press(key: string, does?: string, shown = key): Promise<void> {
    if (does !== undefined) caption = `<kbd>${shown}</kbd> ${does}`;
    await page.keyboard.press(key);
  }

  async function type(text: string): Promise<void> {
    for (const part of text.match(/.{1,3}/g) ?? []) {
      await page.keyboard.type(part);
      await show(90);
    }
  }

  // The list, and a command.
  caption = "Every agent that needs you, in one list";
  await show(2_000);
  await press("Enter", "open");
  await page.getByTestId("primary").waitFor();
  await readIt(page);
  await show(2_200);
  await press("Shift+Y", "allow it once, having read it", "Y");
  await page.getByRole("status").getByRole("button", { name: "Undo" }).waitFor();
  await page.locator(".diff").waitFor();
  await show(2_000);

  // The next one is a diff to review.
  await press("v", "into the diff, line by line");
  await page.locator(".diff:focus").waitFor();
  await show(600);
  caption = "<kbd>j</kbd> next line";
  for (let lines = 0; lines < 30 && !(await page.locator("[data-at]").allTextContents()).join().includes("instanceof"); lines += 1) {
    await press("j");
    await show(110);
  }
  await press("c", "comment on it");
  await page.locator(".line-comment textarea:focus").waitFor();
  await show(500);
  await type("A timeout may have charged, too: don't retry it.");
  await show(500);
  await press("Enter", "keep the comment");
  await page.getByTestId("line-comment").waitFor();
  await show(900);
  await press("Escape", "back to the question", "Esc");
  await show(500);
  await press("3", "request changes");
  await show(900);
  await press("Enter", "send");
  await page.locator(`[aria-current="true"][data-session="${access}"]`).waitFor();
  await show(1_600);

  // Another one on a phone.
  await press("Escape");
  await press("Escape");
  caption = "The same inbox on a phone: swipe to send what the agent recommends";
  isOnPhone = true;
  const row = hand.locator(`li:has(> [data-session="${access}"])`);
  await show(1_600);
  const box = await row.boundingBox();
  if (box === null) throw new Error("The phone doesn't show the question.");
  const touch = await hand.context().newCDPSession(hand);
  const [x, y] = [box.x + 90, box.y + box.height / 2];
  const finger = (type: "touchStart" | "touchMove" | "touchEnd", by?: number) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: by === undefined ? [] : [{ x: x + by, y }] });
  await finger("touchStart", 0);
  for (const by of [16, 48, 92, 140, 184, 210, 220]) {
    await finger("touchMove", by);
    await show(by === 220 ? 600 : 70);
  }
  await finger("touchEnd");
  await pass(200);
  await row.waitFor({ state: "detached" });
  await show(1_000);
  caption = "First answer wins, and every screen knows it";
  await show(Math.max(1_500, length - lengthOf(shots)));

  await hub.close();
  const moving = movingPicture(shots);
  const file = resolve(folder, `moving-${colorScheme}.png`);
  console.log(`${file}: ${shots.length} pictures, ${lengthOf(shots) / 1_000} s, ${Math.ceil(moving.length / 1_000)} KB`);
  if (moving.length > largest) throw new Error("That is too large for a README.");
  writeFileSync(file, moving);
  if (singles === undefined) return;
  for (const [index, { png }] of shots.entries()) writeFileSync(resolve(singles, `${index}-${colorScheme}.png`), png);
}

const browser = await launchBrowser();
try {
  for (const colorScheme of ["light", "dark"] as const) await record(browser, colorScheme);
} finally {
  await browser.close();
}
