import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { launchBrowser } from "../tests/web/support/browser.ts";
import { root } from "./run.ts";

/** Draws the icons of the installed page from `apps/web/public/icon.svg`; run it after changing that file. */
const source = resolve(root, "apps/web/public");
const icons = [
  { file: "192.png", size: 192, isFull: false },
  { file: "512.png", size: 512, isFull: false },
  // Systems cut these to their own shape: the colour reaches the edge, and the symbol stays in the middle.
  { file: "maskable-512.png", size: 512, isFull: true },
  { file: "apple-touch.png", size: 180, isFull: true },
] as const;

const svg = readFileSync(resolve(source, "icon.svg"), "utf8");
const full = svg.replace('rx="16"', 'rx="0"').replace("<path", '<path transform="translate(6.4 6.4) scale(.8)"');
mkdirSync(resolve(source, "icons"), { recursive: true });
const browser = await launchBrowser();
try {
  for (const { file, size, isFull } of icons) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const drawn = (isFull ? full : svg).replace("<svg", `<svg width="${size}" height="${size}"`);
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawn}`);
    writeFileSync(resolve(source, "icons", file), await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
