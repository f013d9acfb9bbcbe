import { questionTypes } from "@askbox/core/questions";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectBrowser } from "../setup/browser.ts";
import { phone, wide } from "./support/browser.ts";
import { buildGallery, type Gallery } from "./support/gallery.ts";
import { sideways, violations } from "./support/looks.ts";

let browser: Browser;
let gallery: Gallery;
beforeAll(async () => {
  [browser, gallery] = await Promise.all([connectBrowser(), buildGallery()]);
});
afterAll(async () => {
  await browser?.close();
  await gallery?.remove();
});

/** What every question is shown in, whatever its type. */
const everyState = ["empty", "filled", "missing", "disabled", "note", "long", "rightToLeft", "chinese", "hostile"];

test("the page of all widgets has each type of question in each state", async () => {
  const page = await gallery.open(browser, { viewport: wide });
  const shown = await page
    .locator("[data-type]")
    .evaluateAll((cards) => cards.map((card) => `${(card as HTMLElement).dataset["type"]}, ${(card as HTMLElement).dataset["state"]}`));
  const wanted = questionTypes.flatMap((type) => everyState.map((state) => `${type}, ${state}`));
  expect(wanted.filter((card) => !shown.includes(card))).toEqual([]);
  expect(await page.locator("[data-state=disabled] :is(input, button, textarea):enabled").count()).toBe(0);
  expect(await page.locator("[data-state=missing]:not(:has(.error:not(:empty)))").count()).toBe(0);
  await page.context().close();
});

/** Where the panes of whole sessions are looked at, too: each colour and each size once. */
const withScenes = ["wide, dark", "phone, light", "narrow, light"];

for (const [size, viewport] of Object.entries({ wide, phone, narrow: { width: 320, height: 640 } })) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`every widget in every state is accessible and fits: ${size}, ${colorScheme}`, async () => {
      const page = await gallery.open(browser, { viewport, colorScheme });
      const found: string[] = [];
      const look = async (scene: string) => {
        found.push(...(await violations(page)).map((problem) => `${scene}: ${problem}`));
        found.push(...(await sideways(page)).map((element) => `${scene} is too wide: ${element}`));
      };
      await look("all");
      const scenes = await page.locator("[data-scene]").allTextContents();
      expect(scenes).toEqual(expect.arrayContaining(["conflict", "repliedLate", "rightToLeft", "hostile"]));
      for (const scene of withScenes.includes(`${size}, ${colorScheme}`) ? scenes : []) {
        await page.goto(gallery.address(scene));
        await page.locator(".actions").waitFor();
        await look(scene);
      }
      expect(found).toEqual([]);
      await page.context().close();
    });
  }
}
