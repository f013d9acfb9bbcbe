import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { phone } from "./support/browser.ts";
import { flaws } from "./support/flaws.ts";
import { stdioAgent } from "./support/stdio-agent.ts";
import { until } from "./support/until.ts";

const { home, ask, opened } = stdioAgent();

/** Asks for a text, and opens the question. */
async function asked(question: string, options: Parameters<typeof opened>[1] = {}) {
  const { id, result } = await ask({ questions: [{ id: "q", question }] });
  const page = await opened(id, options);
  await page.getByRole("button", { name: "Attach a file" }).waitFor();
  return { page, id, file: async () => (await result()).answers[0]?.files?.[0] };
}

/** A picture with vertical stripes of one pixel, black and white, 200 high. */
async function attachStripes(page: Page, width = 400): Promise<Buffer> {
  const data = await page.evaluate((width) => {
    const canvas = Object.assign(document.createElement("canvas"), { width, height: 200 });
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    for (let x = 0; x < width; x++) {
      context.fillStyle = x % 2 === 0 ? "#000000" : "#ffffff";
      context.fillRect(x, 0, 1, 200);
    }
    return canvas.toDataURL("image/png").split(",")[1] as string;
  }, width);
  const buffer = Buffer.from(data, "base64");
  await page.getByTestId("pick-files").setInputFiles([{ name: "shot.png", mimeType: "image/png", buffer }]);
  return buffer;
}

const thumbnail = (page: Page) => page.locator(".file-picture");

/** The colours at places of the attached picture, as red, green and blue. */
const colours = (page: Page, ...places: [x: number, y: number][]) =>
  thumbnail(page).evaluate(async (image, places) => {
    await (image as HTMLImageElement).decode();
    const { naturalWidth, naturalHeight } = image as HTMLImageElement;
    const canvas = Object.assign(document.createElement("canvas"), { width: naturalWidth, height: naturalHeight });
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.drawImage(image as HTMLImageElement, 0, 0);
    return places.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)]);
  }, places);

const isRed = ([red = 0, green = 255, blue = 255]: number[] = []) => red > 180 && green < 80 && blue < 90;

test("a picture is drawn on and blurred before it is sent, and the agent gets only that", async () => {
  const { page, id, file } = await asked("Where is it?", { viewport: phone, hasTouch: true });
  const original = createHash("sha256")
    .update(await attachStripes(page))
    .digest("hex");
  await page.getByLabel("Caption of shot.png").fill("Here");
  await page.getByRole("button", { name: "Draw shot.png" }).click();
  const canvas = page.locator(".drawing-stage canvas");
  await canvas.waitFor();
  expect(await flaws(page, "drawing on a phone")).toEqual([]);
  const box = (await canvas.boundingBox()) ?? expect.fail("no canvas");
  const drag = async (...[from, to]: [x: number, y: number][]) => {
    const at = ([x, y]: [number, number] = [0, 0]) => [box.x + (x / 400) * box.width, box.y + (y / 200) * box.height] as const;
    await page.mouse.move(...at(from));
    await page.mouse.down();
    await page.mouse.move(...at(to), { steps: 3 });
    await page.mouse.up();
  };
  await drag([20, 20], [180, 20]);
  await page.getByRole("button", { name: "Box" }).click();
  await drag([20, 60], [180, 120]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Blur" }).click();
  await drag([200, 0], [400, 200]);
  // A click draws nothing.
  await drag([300, 100], [300, 100]);
  await page.keyboard.press("Escape");
  await canvas.waitFor({ state: "detached" });
  expect(await colours(page, [100, 20])).toEqual([[0, 0, 0]]);

  // What was drawn is still there.
  await page.getByRole("button", { name: "Draw shot.png" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await until(async () => isRed((await colours(page, [100, 20]))[0]), "the arrow");
  const [undone, stripe, next, blurred, beside] = await colours(page, [100, 60], [150, 150], [151, 150], [300, 100], [301, 100]);
  expect([undone, stripe, next]).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [255, 255, 255],
  ]);
  expect(blurred).toEqual(beside);
  await until(async () => (await page.getByLabel("Caption of shot.png").inputValue()) === "Here", "the picture with its caption");
  await until(() => page.evaluate(() => document.activeElement !== document.body), "the focus on something");
  await until(
    async () => !readdirSync(join(home().folder, "files", id)).some((name) => name.includes(original)),
    "the original to be removed",
  );

  await page.keyboard.press("ControlOrMeta+Enter");
  expect(await file()).toMatchObject({ name: "shot.png", mimeType: "image/png", caption: "Here" });
});

test("a drawing that is refused leaves the picture, unless a part of it was to be hidden; one made with the keyboard is attached, and can be undone", async () => {
  const { page, file } = await asked("What is wrong with it?");
  await attachStripes(page);
  const draw = async (...keys: string[]) => {
    await page.getByRole("button", { name: "Draw shot.png" }).focus();
    await page.keyboard.press("Enter");
    await until(() => page.evaluate(() => document.activeElement?.tagName === "CANVAS"), "the focus on the picture");
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByLabel("Caption of shot.png").fill("Here");
  await page.route("**/api/files?*", async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    await route.fulfill({ status: 413, json: { detail: "There is no room for it." } });
  });
  const box = [" ", "Shift+ArrowRight", "Shift+ArrowDown", " ", "Enter"];
  const refused = page.getByRole("alert").getByText("There is no room for it.");
  await draw(...box);
  await refused.waitFor();
  await until(async () => (await page.getByLabel("Caption of shot.png").inputValue()) === "Here", "the picture with its caption");
  await page.getByRole("button", { name: "Remove shot.png" }).last().click();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await draw("4", ...box);
  await refused.waitFor();
  await thumbnail(page).waitFor({ state: "detached" });

  await page.unrouteAll();
  await page.getByRole("button", { name: "Remove shot.png" }).last().click();

  const original = await attachStripes(page, 402);
  await thumbnail(page).waitFor();
  await draw("3", " ", "Shift+ArrowRight", "ArrowDown", " ");
  expect(await flaws(page, "drawing")).toEqual([]);
  await page.keyboard.press("Enter");
  await until(async () => isRed((await colours(page, [220, 100]))[0]), "the line");
  await draw("u", "Enter");
  await until(async () => !isRed((await colours(page, [220, 100]))[0]), "the picture without the line");
  await page.keyboard.press("ControlOrMeta+Enter");
  const { path = "" } = (await file()) ?? {};
  expect(readFileSync(path).equals(original)).toBe(true);
});
