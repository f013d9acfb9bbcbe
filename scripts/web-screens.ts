import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { believablePast, pastCommands, scenes } from "../tests/web/support/believable.ts";
import { goTo, launchBrowser, type OpenedPage, phone, visit, wide } from "../tests/web/support/browser.ts";
import { addPast } from "../tests/web/support/past.ts";
import { startWebHub, type WebHub } from "../tests/web/support/web-hub.ts";
import { root } from "./run.ts";

/** Takes the pictures in `docs/images/` of a real hub with made-up sessions. Run `pnpm build` first. */
const folder = resolve(root, "docs/images");
/** The local time in the pictures: a Wednesday afternoon. */
const now = new Date(2026, 10, 18, 15, 42).getTime();

type Page = OpenedPage["page"];
type Pending = Awaited<ReturnType<typeof askPending>>;

/** The pages' sizes: beside a narrow picture, another one has room. What is begun there would be a draft in the lists of the others. */
const sizes = { wide, phone, narrow: { width: 600, height: phone.height } };
type Size = keyof typeof sizes;

interface View {
  name: string;
  sizes: readonly Size[];
  /** All questions on one page, instead of one at a time. */
  onePage?: true;
  /** Navigates to the view. */
  open(page: Page, ids: Pending): Promise<void>;
}

const views: readonly View[] = [
  {
    name: "list",
    sizes: ["phone"],
    async open(page) {
      await goTo(page, "/");
      await page.locator(".row").first().waitFor();
    },
  },
  {
    name: "inbox",
    sizes: ["wide"],
    async open(page, { styling }) {
      await goTo(page, `/s/${styling}`);
      await page.locator(".question").waitFor();
    },
  },
  {
    name: "approval",
    sizes: ["wide", "phone"],
    async open(page, { staging }) {
      await goTo(page, `/s/${staging}`);
      await page.getByTestId("action").waitFor();
    },
  },
  {
    name: "grant",
    sizes: ["narrow"],
    async open(page, { tests }) {
      await goTo(page, `/s/${tests}`);
      await page.getByTestId("action").waitFor();
      await page.getByRole("button", { name: "Allow always" }).first().click();
      await page.getByLabel("What to allow").selectOption("words");
      await page.getByLabel("First words of the commands").fill("pnpm test");
      await page.getByLabel("Where to allow it").selectOption("project");
      await page.getByTestId("grant-past").locator("li").nth(2).waitFor();
    },
  },
  {
    name: "review",
    sizes: ["narrow"],
    async open(page, { retries }) {
      await goTo(page, `/s/${retries}`);
      await page.locator(".diff").waitFor();
      await page.keyboard.press("v");
      await page.locator(".diff:focus").waitFor();
      const line = page.locator("[data-at]");
      while (!(await line.allTextContents()).join().includes("instanceof")) await page.keyboard.press("j");
      await page.keyboard.press("c");
      await page.locator(".line-comment textarea:focus").fill("A timeout may have charged, too: don't retry it.");
    },
  },
  {
    name: "types",
    sizes: ["wide"],
    onePage: true,
    async open(page, { rollout }) {
      await goTo(page, `/s/${rollout}`);
      await page.locator(".question").nth(3).waitFor();
    },
  },
  {
    name: "history",
    sizes: ["wide"],
    async open(page) {
      await goTo(page, "/history");
      await page.locator(".row", { hasText: "Styling" }).first().click();
      await page.locator(".facts").waitFor();
    },
  },
  {
    name: "numbers",
    sizes: ["wide"],
    async open(page) {
      await goTo(page, "/numbers");
      await page.locator(".plot svg").nth(1).waitFor();
    },
  },
];

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
  const staging = await ask(
    { ...scenes.staging.input, timeout: 480_000 },
    { project: "/home/ada/ledger-api", branch: "drop-legacy", client: "codex" },
  );
  const retries = await ask(
    { ...scenes.retries.input, timeout: 840_000 },
    { project: "/home/ada/storefront", branch: "payment", client: "gemini-cli" },
  );
  const tests = await ask({ ...scenes.tests.input, timeout: 720_000 }, { project: "/home/ada/storefront", branch: "checkout-v2" });
  return { styling, rollout, staging, retries, tests };
}

async function shoot(): Promise<void> {
  // The sessions are asked within the minutes before the pictures are taken.
  let shown = now - 150_000;
  const hub = await startWebHub({ now: () => shown });
  const browser = await launchBrowser();
  try {
    for (const past of [...believablePast(now), ...pastCommands(now)]) await addPast(hub.store, past);
    const pending = await askPending(hub);
    shown = now;
    for (const [size, viewport] of Object.entries(sizes) as [Size, (typeof sizes)[Size]][]) {
      for (const colorScheme of ["light", "dark"] as const) {
        if (size === "phone" && colorScheme === "dark") continue;
        const { context, page } = await visit(browser, hub.loginUrl(), {
          viewport,
          colorScheme,
          deviceScaleFactor: size === "wide" ? 1 : 2,
          hasTouch: size === "phone",
          isMobile: size === "phone",
        });
        await page.clock.setFixedTime(now);
        for (const { name, open, onePage } of views.filter((view) => view.sizes.includes(size))) {
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
