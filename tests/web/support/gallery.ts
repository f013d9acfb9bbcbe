import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { observe } from "./browser.ts";

const web = resolve(import.meta.dirname, "../../../apps/web");
const address = "http://gallery.test/";
const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

export interface Gallery {
  /** Opens the gallery, or with a scene the pane of one session. The caller closes the context. */
  open(browser: Browser, options: BrowserContextOptions & { scene?: string }): Promise<Page>;
  remove(): Promise<void>;
}

/** Builds the gallery into its own folder. */
export async function buildGallery(): Promise<Gallery> {
  const folder = await mkdtemp(join(tmpdir(), "askbox-gallery-"));
  const args = [join(web, "node_modules/vite/bin/vite.js"), "build", "--config", join(web, "gallery/vite.config.ts"), "--outDir", folder];
  await promisify(execFile)(process.execPath, args, { cwd: web });
  return {
    async open(browser, { scene, ...options }) {
      const context = await browser.newContext({ reducedMotion: "reduce", locale: "en-GB", ...options });
      observe(context);
      // Nothing listens there: the browser gets the files from the test.
      await context.route(`${address}**`, (route) => {
        const { pathname } = new URL(route.request().url());
        // There is no hub, which would have the files of answers.
        if (pathname.startsWith("/api/")) return route.fulfill({ status: 404 });
        const file = pathname === "/" ? "index.html" : pathname.slice(1);
        return route.fulfill({ path: join(folder, file), contentType: types[extname(file)] ?? "application/octet-stream" });
      });
      const page = await context.newPage();
      await page.goto(scene === undefined ? address : `${address}?scene=${scene}`);
      await page
        .locator(scene === undefined ? ".gallery-card" : ".session")
        .first()
        .waitFor();
      return page;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
