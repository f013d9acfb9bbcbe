import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createBroker, memoryStore, parseAsk, standardPlatform } from "@askbox/core";
import { createHub, nodeListener } from "@askbox/hub";
import { expect, onTestFinished, test } from "vitest";
import { visit } from "./support/browser.ts";
import { webSuite } from "./support/suite.ts";
import { builtPage } from "./support/web-hub.ts";

const { browser } = webSuite();

/** The built page of a hub below `/tools/askbox` of another program's server. */
async function start() {
  const platform = standardPlatform(globalThis);
  const broker = await createBroker({ ...platform, store: memoryStore() });
  let origin = "";
  const hub = createHub({ broker, basePath: "/tools/askbox", origin: () => origin, web: builtPage });
  const listener = nodeListener(hub.fetch);
  const others: string[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/tools/askbox")) return listener(request, response);
    others.push(request.url ?? "");
    response.writeHead(404).end();
  }).on("upgrade", hub.upgrade);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    await hub.close();
    server.closeAllConnections();
    server.close();
    await broker.close();
  });
  const request = parseAsk({ questions: [{ question: "Deploy?", type: "confirm" }] }, platform);
  // It waits until the broker closes.
  broker
    .asker("agents")
    .ask(request, { asker: { client: { name: "ci" } } })
    .catch(() => {});
  return { hub, origin, others };
}

test("the inbox of a mounted hub works below its path and requests nothing elsewhere", async () => {
  const { hub, origin, others } = await start();
  const { page, context, complaints } = await visit(browser(), hub.createLogin().url);
  onTestFinished(() => context.close());
  await page.locator("[data-session]").first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/tools/askbox/");
  await page.locator("[data-session]").first().click();
  await page.waitForURL(/\/tools\/askbox\/s\/\w+$/);
  await page
    .evaluate(() => navigator.serviceWorker.ready.then(({ scope }) => scope))
    .then((scope) => expect(scope).toBe(`${origin}/tools/askbox/`));
  // A reloaded view finds its files, and the header's link works from there.
  await page.reload();
  await page
    .getByRole("button", { name: "Yes" })
    .or(page.getByRole("radio", { name: "Yes" }))
    .first()
    .click();
  await page.locator('a[href="/tools/askbox/settings"]').first().click();
  await page.waitForURL(/\/tools\/askbox\/settings$/);
  await page.locator("[data-device]").first().waitFor();
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    const { start_url, scope, icons } = await (await fetch(link?.href ?? "")).json();
    return [start_url, scope, icons[1].src].map((path: string) => new URL(path, link?.href).pathname);
  });
  expect(manifest).toEqual(["/tools/askbox/", "/tools/askbox/", "/tools/askbox/icons/192.png"]);
  expect((await context.cookies()).map(({ path }) => path)).toEqual(["/tools/askbox"]);
  expect([others, complaints]).toEqual([[], []]);
});
