import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { askResult, createBroker, memoryStore, parseAsk, standardPlatform } from "@askbox/core";
import { createHub, type HubOptions, nodeListener } from "@askbox/hub";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { newContext, visit } from "./support/browser.ts";
import { webSuite } from "./support/suite.ts";
import { builtPage } from "./support/web-hub.ts";

const { browser } = webSuite();

/** The built page of a hub below `/tools/askbox` of another program's server, which may be behind a proxy that strips `stripped`. */
async function start({ stripped = "", ...options }: Partial<HubOptions> & { stripped?: string } = {}) {
  const platform = standardPlatform(globalThis);
  const broker = await createBroker({ ...platform, store: memoryStore() });
  let origin = "";
  const hub = createHub({
    broker,
    basePath: "/tools/askbox".slice(stripped.length),
    origin: () => origin + stripped,
    web: builtPage,
    ...options,
  });
  const listener = nodeListener(hub.fetch);
  const others: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    request.url = path.slice(stripped.length);
    if (path.startsWith("/tools/askbox")) return listener(request, response);
    others.push(path);
    if (path !== "/login") return void response.writeHead(404).end();
    response.writeHead(303, { "set-cookie": "person=Ada; Path=/; HttpOnly; SameSite=Lax", location: "/tools/askbox/" }).end();
  }).on("upgrade", (request, socket, head) => {
    request.url = request.url?.slice(stripped.length);
    hub.upgrade(request, socket, head);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    await hub.close();
    server.closeAllConnections();
    server.close();
    await broker.close();
  });
  const asked = (question: string) => {
    const request = parseAsk({ questions: [{ question, type: "confirm" }] }, platform);
    const result = broker.asker("agents").ask(request, { asker: { client: { name: "ci" } } });
    // One that is not answered waits until the broker closes.
    result.catch(() => {});
    return result;
  };
  return { hub, origin, others, asked };
}

test("the inbox of a mounted hub works below its path and requests nothing elsewhere", async () => {
  const { hub, origin, others, asked } = await start();
  void asked("Deploy?");
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

async function sayYes(page: Page, question: string): Promise<void> {
  await page.locator("[data-session]", { hasText: question }).click();
  await page.getByRole("radio", { name: "Yes" }).check();
  await page.getByRole("button", { name: "Send answer" }).click();
}

test("two people of a program's own logins answer in their own names, behind a proxy that strips a prefix", async () => {
  const { hub, origin, asked, others } = await start({
    stripped: "/tools",
    locked: { text: "Log in to Example first.", link: { text: "Log in to Example", url: "/login" } },
    authenticate(request) {
      const person = /person=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];
      return person === undefined ? undefined : { owner: `person:${person}`, person, scopes: ["desk"] };
    },
  });
  const [first, second] = [asked("Deploy?"), asked("Publish?")];
  const ada = await newContext(browser());
  onTestFinished(() => ada.close());
  const page = await ada.newPage();
  await page.goto(`${origin}/tools/askbox/`);
  await page.getByText("Log in to Example first.").waitFor();
  expect(await page.getByText("askbox open").count()).toBe(0);
  await page.getByRole("link", { name: "Log in to Example" }).click();
  await sayYes(page, "Deploy?");
  expect(askResult((await first).session).answeredBy).toEqual({ surface: "web", name: "Ada" });

  const grace = await visit(browser(), hub.createLogin({ person: "Grace" }).url);
  onTestFinished(() => grace.context.close());
  await sayYes(grace.page, "Publish?");
  expect(askResult((await second).session).answeredBy).toEqual({ surface: "web", name: "Grace" });
  expect([new Set(others), grace.complaints]).toEqual([new Set(["/login"]), []]);
});
