import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { believablePast, scenes } from "../tests/web/support/believable.ts";
import { goTo, launchBrowser, type OpenedPage, phone, visit, wide } from "../tests/web/support/browser.ts";
import { addPast } from "../tests/web/support/past.ts";
import { startWebHub, type WebHub } from "../tests/web/support/web-hub.ts";
import { root } from "./run.ts";

/** Takes the pictures in `docs/images/` of a real hub with made-up sessions. Run `pnpm build` first. */
const folder = resolve(root, "docs/images");
/** The local time in the pictures: a Wednesday afternoon. */
const now = new Date(2026, 10, 18, 15, 42).getTime();

type Page = OpenedPage["page"];

interface View {
  name: string;
  /** All questions on one page, instead of one at a time. */
  onePage?: true;
  /** Navigates to the view. */
  open(page: Page, ids: Pending): Promise<void>;
}
type Pending = Awaited<ReturnType<typeof askPending>>;

const views: readonly View[] = [
  {
    name: "inbox",
    async open(page, { styling }) {
      await goTo(page, `/s/${styling}`);
      await page.locator(".question").waitFor();
    },
  },
  {
    name: "types",
    onePage: true,
    async open(page, { rollout }) {
      await goTo(page, `/s/${rollout}`);
      await page.locator(".question").nth(3).waitFor();
    },
  },
  {
    name: "history",
    async open(page) {
      await goTo(page, "/history");
      await page.locator(".row", { hasText: "Styling" }).first().click();
      await page.locator(".facts").waitFor();
    },
  },
  {
    name: "numbers",
    async open(page) {
      await goTo(page, "/numbers");
      await page.locator(".plot svg").nth(1).waitFor();
    },
  },
  {
    name: "settings",
    async open(page) {
      await goTo(page, "/settings");
      await page.locator("[data-device]").first().waitFor();
    },
  },
];
const listOnPhone: View = {
  name: "list",
  async open(page) {
    await goTo(page, "/");
    await page.locator(".row").first().waitFor();
  },
};

/** Questions that several agents ask at the same time. */
async function askPending(hub: WebHub) {
  const { ask } = hub;
  await ask({ ...scenes.naming.input, timeout: 1_500_000 }, { project: "/home/ada/ledger-api", branch: "rates", client: "codex" });
  await ask(
    { ...scenes.release.input, timeout: 1_740_000 },
    { project: "/home/ada/storefront", branch: "main", client: "claude-code", agentId: "release" },
  );
  await ask({ ...scenes.access.input, timeout: 900_000 }, { project: "/home/ada/infra", client: "opencode" });
  await ask(
    { ...scenes.migration.input, timeout: 600_000 },
    { project: "/home/ada/ledger-api", branch: "drop-legacy", client: "gemini-cli" },
  );
  const styling = await ask({ ...scenes.styling.input, timeout: 1_200_000 }, { project: "/home/ada/storefront", branch: "checkout-v2" });
  const rollout = await ask({ ...scenes.rollout.input, timeout: 1_680_000 }, { project: "/home/ada/storefront", branch: "search" });
  return { styling, rollout };
}

async function shoot(): Promise<void> {
  // The sessions are asked within the minutes before the pictures are taken.
  let shown = now - 150_000;
  const hub = await startWebHub({ now: () => shown });
  const browser = await launchBrowser();
  try {
    for (const past of believablePast(now)) await addPast(hub.store, past);
    const pending = await askPending(hub);
    shown = now;
    for (const [size, viewport] of Object.entries({ wide, phone })) {
      for (const colorScheme of ["light", "dark"] as const) {
        if (size === "phone" && colorScheme === "dark") continue;
        const { context, page } = await visit(browser, hub.loginUrl(), {
          viewport,
          colorScheme,
          deviceScaleFactor: size === "phone" ? 2 : 1,
        });
        await page.clock.setFixedTime(now);
        for (const { name, open, onePage } of size === "phone" ? [listOnPhone, ...views] : views) {
          await page.evaluate(
            (layout) => localStorage.setItem("askbox.settings", JSON.stringify({ notify: "off", layout })),
            onePage ? "page" : "steps",
          );
          await open(page, pending);
          await page.evaluate(() => document.fonts.ready);
          const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
          writeFileSync(resolve(folder, `${name}-${size}-${colorScheme}.png`), picture);
        }
        await context.close();
      }
    }
  } finally {
    await browser.close();
    await hub.close();
  }
}

mkdirSync(folder, { recursive: true });
await shoot();
