import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { png } from "../setup/png.ts";
import { phone } from "./support/browser.ts";
import { flaws } from "./support/flaws.ts";
import { stdioAgent } from "./support/stdio-agent.ts";
import { until } from "./support/until.ts";

const { home, ask, opened } = stdioAgent();

const put = (name: string, bytes: Buffer) => writeFileSync(join(home().folder, name), bytes);

/** The boxes of the pictures that are decoded, once there are that many. */
async function boxes(page: Page, count: number) {
  const decoded = () =>
    page
      .locator(".picture img")
      .evaluateAll((images) =>
        images.flatMap((image) =>
          (image as HTMLImageElement).naturalWidth > 0 ? [image.getBoundingClientRect().toJSON() as DOMRect] : [],
        ),
      );
  return until(async () => {
    const found = await decoded();
    return found.length === count && found;
  }, `${count} pictures`);
}

test("two mock-ups stand side by side, open in a viewer that the keyboard zooms and moves, and stay with the outcome", async () => {
  put("old.png", png(1_200, 800, 200));
  put("new.png", png(1_200, 800, 90));
  const { id, result } = await ask({
    questions: [
      {
        id: "which",
        question: "Which one?",
        type: "select",
        options: [
          { label: "Old", images: [{ src: "old.png", alt: "The header as it is" }] },
          { label: "New", images: ["new.png"] },
        ],
      },
    ],
  });
  const page = await opened(id);
  const [old, next] = await boxes(page, 2);
  expect(old?.top).toBe(next?.top);
  expect(next?.left).toBeGreaterThan(old?.right ?? 0);
  expect(next?.bottom, "both are visible").toBeLessThan(800);
  expect(await flaws(page, "options with pictures")).toEqual([]);

  const button = page.getByRole("button", { name: "Look closer at" });
  await button.first().focus();
  await page.keyboard.press("Enter");
  const viewer = page.getByRole("dialog", { name: "The header as it is" });
  await viewer.getByText("1 of 2").waitFor();
  const shown = () => page.locator(".picture-stage img:visible").evaluate((image) => Math.round(image.getBoundingClientRect().width));
  const scroll = () => page.locator(".picture-stage").evaluate((stage) => stage.scrollLeft);
  const fitting = await until(shown, "the picture's width");
  for (const key of ["+", "+", "="]) await page.keyboard.press(key);
  const isZoomed = async () => (await shown()) > 1.5 * fitting;
  await until(isZoomed, "the picture is zoomed");
  const from = await scroll();
  await page.keyboard.press("ArrowRight");
  await until(async () => (await scroll()) > from, "the picture has moved");
  await page.keyboard.press("PageDown");
  await page.getByRole("dialog", { name: "new.png" }).getByText("2 of 2").waitFor();
  await until(isZoomed, "pictures of one size keep the zoom");
  await page.keyboard.press("-");
  await page.keyboard.press("0");
  await until(async () => (await shown()) === fitting, "all of the picture again");
  await page.keyboard.press("ArrowLeft");
  await viewer.waitFor();
  expect(await flaws(page, "the viewer")).toEqual([]);
  await page.keyboard.press("Escape");
  await viewer.waitFor({ state: "detached" });
  await until(() => button.first().evaluate((one) => one === document.activeElement), "the focus is back");
  expect(await page.locator("[data-checked]").count(), "nothing was picked").toBe(0);

  await page.getByRole("radio", { name: "New" }).check();
  await page.keyboard.press("ControlOrMeta+Enter");
  expect((await result()).answers[0]?.values).toEqual(["New"]);
  await page.locator('[data-testid="outcome"] .picture').first().waitFor();
  expect(await boxes(page, 2)).toHaveLength(2);
});

test("a question's pictures stand below each other on a phone, and one that can't be decoded or is gone says so in its place", async () => {
  put("whole.png", png(800, 500, 120));
  put("broken.png", png(800, 500, 120, 3));
  put("gone.png", png(800, 500, 10));
  const images = [{ src: "whole.png", alt: "It works" }, "broken.png", "gone.png"];
  const { id } = await ask({ questions: [{ id: "text", question: "What do you see?", images }] });
  const files = join(home().folder, "files", id);
  const kept = readdirSync(files);
  expect(kept.length).toBeGreaterThanOrEqual(3);
  const page = await opened(id, { viewport: phone });
  const [whole, gone] = await boxes(page, 2);
  expect(whole?.right).toBeLessThanOrEqual(phone.width);
  expect(gone?.top).toBeGreaterThan(whole?.bottom ?? 0);
  await page.getByText("can’t be decoded").waitFor();
  rmSync(files, { recursive: true });
  await page.reload();
  await until(async () => (await page.getByText("is no longer there").count()) === 3, "each of the three says so");
  expect(await flaws(page, "missing pictures")).toEqual([]);
});
