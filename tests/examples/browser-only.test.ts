import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { durableStoreContract, severalWritersContract, storeContract } from "@askbox/core/testing";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { build, type Plugin } from "vite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectBrowser } from "../setup/browser.ts";
import { observe } from "../web/support/browser.ts";
import { tellScreens } from "../web/support/screens.ts";

const root = resolve(import.meta.dirname, "../../examples/browser-only");
const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };
const fromNode: string[] = [];
let folder: string;
let server: Server;
let url: string;
let browser: Browser;

/** Vite would otherwise replace Node's modules with empty ones. */
const nodeImports: Plugin = {
  name: "node-imports",
  enforce: "pre",
  resolveId(imported, importer) {
    if (imported.startsWith("node:")) fromNode.push(`${importer} imports ${imported}`);
  },
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "askbox-browser-only-"));
  await build({
    root,
    base: "./",
    configFile: false,
    logLevel: "warn",
    plugins: [nodeImports],
    resolve: { conditions: ["askbox-source", "module", "browser"] },
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: { index: join(root, "index.html"), contract: join(import.meta.dirname, "browser-only-contract.ts") },
        output: { entryFileNames: "[name].js" },
      },
    },
  });
  server = createServer(async (request, response) => {
    const name = request.url === "/" ? "/index.html" : (request.url ?? "");
    const body = await readFile(join(folder, name)).catch(() => undefined);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": types[extname(name)] ?? "text/plain" }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await connectBrowser();
});

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function ask(page: Page, question: string, options = ""): Promise<void> {
  await page.getByLabel("The agent asks").fill(question);
  await page.getByLabel("Options").fill(options);
  await page.getByRole("button", { name: "Ask" }).click();
}

const pending = (page: Page) => page.locator("#pending li");
const told = async (page: Page) => JSON.parse((await page.locator("#told:not(:empty)").textContent()) ?? "");

test("the page loads nothing from Node", () => {
  expect(fromNode).toEqual([]);
});

describe("the page", () => {
  let context: BrowserContext;

  // A profile of its own, since a page tells its agent what an earlier page didn't acknowledge.
  beforeEach(async () => {
    context = await browser.newContext();
    observe(context);
  });

  afterEach(async (test) => {
    await tellScreens(test);
    await context.close();
  });

  /** The page, once its broker is running. */
  async function openPage(): Promise<Page> {
    const page = await context.newPage();
    await page.goto(url);
    await page.locator("body[data-ready]").waitFor();
    return page;
  }

  test("a reload keeps the question and then its answer, which the next page delivers to the agent", async () => {
    const page = await openPage();
    await ask(page, "Which <b>colour</b>?", "red, blue");
    await pending(page).waitFor();
    await page.reload();
    expect(await pending(page).locator("p").first().textContent()).toBe("Which <b>colour</b>?");
    await page.getByRole("button", { name: "blue" }).click();
    expect(await told(page)).toMatchObject({ answered: true, answers: [{ values: ["blue"] }], answeredBy: { surface: "web" } });
    await page.reload();
    await page.locator("#settled li", { hasText: "Which <b>colour</b>? blue" }).waitFor();
    expect(await pending(page).count()).toBe(0);
  });

  test("an invalid answer is rejected with a message, and a custom one is accepted", async () => {
    const page = await openPage();
    await ask(page, "What next?", "tests, docs");
    await page.getByLabel("Other").fill("   ");
    await page.getByLabel("Other").press("Enter");
    await page.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
    await page.getByLabel("Other").fill("a walk");
    await page.getByLabel("Other").press("Enter");
    expect(await told(page)).toMatchObject({ answered: true, answers: [{ values: [], customText: "a walk" }] });
  });

  test("a second tab takes over the questions as soon as the first one is closed", async () => {
    const first = await openPage();
    await ask(first, "Still there?");
    await pending(first).waitFor();
    const second = await context.newPage();
    await second.goto(url);
    expect(await second.locator("body[data-ready]").count()).toBe(0);
    await first.close();
    await pending(second).getByLabel("Answer").fill("yes");
    await second.keyboard.press("Enter");
    expect(await told(second)).toMatchObject({ answered: true, answers: [{ values: ["yes"] }] });
  });
});

describe("the page's store, in the browser", () => {
  let page: Page;
  beforeAll(async () => {
    page = await browser.newPage();
    await page.goto(url);
    await page.addScriptTag({ type: "module", url: "contract.js" });
    await page.waitForFunction("'runCase' in globalThis");
  });

  test.each([...storeContract, ...durableStoreContract, ...severalWritersContract].map(({ name }, number) => [name, number] as const))(
    "%s",
    async (_name, number) => {
      expect(await page.evaluate(`runCase(${number})`)).toBeUndefined();
    },
  );
});
