import { questionTypes } from "@askbox/core/questions";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connectBrowser } from "../setup/browser.ts";
import { show, wide } from "./support/browser.ts";
import { flaws, sizes } from "./support/flaws.ts";
import { buildGallery, type Gallery } from "./support/gallery.ts";
import { tellScreens } from "./support/screens.ts";

let browser: Browser;
let gallery: Gallery;
beforeAll(async () => {
  [browser, gallery] = await Promise.all([connectBrowser(), buildGallery()]);
});
afterEach(tellScreens);
afterAll(async () => {
  await browser?.close();
  await gallery?.remove();
});

/** The states that every type of question has. */
const everyState = ["empty", "filled", "missing", "disabled", "note", "long", "rightToLeft", "chinese", "hostile"];

test("every type of question in every state is accessible and fits, as does every pane", { tags: "nightly" }, async () => {
  const page = await gallery.open(browser, { viewport: wide });
  const shown = await page
    .locator("[data-type]")
    .evaluateAll((cards) => cards.map((card) => `${(card as HTMLElement).dataset["type"]}, ${(card as HTMLElement).dataset["state"]}`));
  const wanted = questionTypes.flatMap((type) => everyState.map((state) => `${type}, ${state}`));
  expect(wanted.filter((card) => !shown.includes(card))).toEqual([]);
  expect(await page.locator("[data-state=disabled] :is(input, button, textarea):enabled").count()).toBe(0);
  expect(await page.locator("[data-state=missing]:not(:has(.error:not(:empty)))").count()).toBe(0);
  const { phone: _, ...extremes } = sizes;
  const found = await flaws(page, "all", { inSizes: extremes });
  const scenes = await page.locator("[data-scene]").allTextContents();
  expect(scenes).toEqual(expect.arrayContaining(["conflict", "repliedLate", "rightToLeft", "hostile"]));
  for (const scene of scenes) {
    await show(page, `?scene=${scene}`);
    await page.locator(`[data-shown="${scene}"] .actions`).waitFor();
    found.push(...(await flaws(page, scene)));
  }
  expect(found).toEqual([]);
  await page.context().close();
});
