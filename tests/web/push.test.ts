import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog, standardPlatform } from "@askbox/core";
import { mountPush } from "@askbox/hub-process";
import { newVapidKey, startNotify } from "@askbox/notify";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { goTo, launchKeptBrowser, openPage, underControl } from "./support/browser.ts";
import { desktopNotifications } from "./support/desktop-notifications.ts";
import { googlePush } from "./support/google-push.ts";
import { tellScreens } from "./support/screens.ts";
import { until } from "./support/until.ts";
import { startWebHub } from "./support/web-hub.ts";

afterEach(tellScreens);

/** A hub with pushes, and a logged-in browser that has subscribed to them by a click; both its push service and its desktop are stand-ins. */
async function pushed() {
  const [service, desktop] = await Promise.all([googlePush(), desktopNotifications()]);
  const vapid = newVapidKey();
  const mounted = mountPush({ key: async () => vapid, log: silentLog });
  const hub = await startWebHub({ mounts: [mounted.mount] });
  const options = await mounted.options({
    showText: true,
    answerAs: ({ name, person = name }) => hub.desk({ surface: "web", name: person }),
  });
  const notify = await startNotify({
    desk: hub.desk({ surface: "api" }),
    clock: standardPlatform(globalThis).clock,
    log: silentLog,
    rules: { rules: [{ client: "claude-code", after: 0 }] },
    remote: { targets: [], fetch: service.fetch, push: options },
  });
  mounted.connect(notify.push);
  const folder = mkdtempSync(join(tmpdir(), "askbox-browser-"));
  const context = await launchKeptBrowser(folder, { args: service.flags, env: desktop.env });
  onTestFinished(async () => {
    await context.close();
    await notify.close();
    await hub.close();
    await Promise.all([service.close(), desktop.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  await context.grantPermissions(["notifications"]);
  const { page, complaints } = await openPage(context, hub.loginUrl());
  await underControl(page);
  await goTo(page, "/settings");
  const toggle = page.getByLabel("Push to this device");
  await toggle.click();
  await expect.poll(() => toggle.isChecked()).toBe(true);
  const shown = () => desktop.shown().map(({ title, body, buttons }) => ({ title, body, buttons }));
  const worker = () => context.serviceWorkers()[0] ?? expect.fail("The page has no worker.");
  return { hub, page, context, options, service, desktop, complaints, worker, shown };
}

/** In a worker: two pushes about one question, of which the first is only shown after the second one came. */
const turnedAround = () => {
  const { showNotification } = ServiceWorkerRegistration.prototype;
  const both = Promise.withResolvers<void>();
  let isFirst = true;
  Object.assign(ServiceWorkerRegistration.prototype, {
    async showNotification(this: ServiceWorkerRegistration, ...rest: Parameters<typeof showNotification>) {
      const waits = isFirst;
      isFirst = false;
      if (waits) await both.promise;
      await showNotification.apply(this, rest);
    },
  });
  const { PushEvent } = globalThis as unknown as { PushEvent: new (type: string, init: { data: string }) => Event };
  const push = (rest: object) =>
    dispatchEvent(new PushEvent("push", { data: JSON.stringify({ id: "one", to: "", title: "Deploy", page: "/", ...rest }) }));
  push({ body: "Now?" });
  push({ body: "Answered", ended: true });
  setTimeout(both.resolve);
};

/** In a worker: what is on the screen, as the browser sees it. */
const kept = async () => {
  const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
  return (await registration.getNotifications()).map(({ body }) => body);
};

const question = { title: "Deploy", questions: [{ question: "Now?", type: "confirm" as const }] };
const title = "askbox: Claude Code in engine (main)";

// Only Linux has a desktop whose place a test can take.
describe.skipIf(process.platform !== "linux")("a browser that turned pushes on", () => {
  test("shows them without a page, answers with a button, opens a page by a tap, and says so when a press doesn't reach the hub", async () => {
    const { hub, page, context, options, desktop, shown } = await pushed();
    expect(options.browsers()).toMatchObject([{ name: "Chrome on Linux", push: { allow: false } }]);
    await page.goto("about:blank");

    const one = await hub.ask(question);
    await expect.poll(shown).toEqual([{ title, body: "Deploy\nNow?", buttons: ["Yes", "No"] }]);
    desktop.press("No");
    await until(async () => (await hub.view(one)).status === "answered", "the answer");
    expect((await hub.view(one)).outcome).toMatchObject({
      answers: [{ values: ["no"] }],
      by: { surface: "web", name: "Chrome on Linux" },
    });
    await expect
      .poll(() => desktop.all().map(({ body }) => body))
      .toEqual(["Deploy\nNow?", "Answered by Chrome on Linux in the browser: Deploy"]);
    await expect.poll(shown).toEqual([]);

    const two = await hub.ask({ title: "Run", questions: [{ question: "Which?", type: "text" }] });
    await expect.poll(shown).toEqual([{ title, body: "Run\nWhich?", buttons: [] }]);
    const opened = context.waitForEvent("page");
    // Browsers let a worker open a window only by a trusted click.
    desktop.press();
    expect(new URL((await opened).url()).pathname).toBe(`/s/${two}`);
    await expect.poll(shown).toEqual([]);

    await hub.ask(question);
    await expect.poll(shown).toHaveLength(1);
    await hub.down();
    desktop.press("Yes");
    await expect
      .poll(shown)
      .toMatchObject([{ body: "Not sent: the inbox could not be reached. Press again.\nDeploy\nNow?", buttons: ["Yes", "No"] }]);
    await hub.up();
  });

  test("opens the question in the open inbox, is told that a press came too late, and keeps nothing on the screen that was settled before", {
    tags: "nightly",
  }, async () => {
    const { hub, page, context, options, service, desktop, complaints, worker, shown } = await pushed();
    await goTo(page, "/");
    const one = await hub.ask(question);
    await expect.poll(shown).toHaveLength(1);
    // How it ended comes after the press, as over a slow network.
    service.hold();
    await hub.desk().answer(one, { answers: [{ questionId: (await hub.view(one)).questions[0]?.id ?? "", values: ["yes"] }] });
    desktop.press("No");
    await expect
      .poll(shown)
      .toMatchObject([{ body: "Your press came too late. Answered by Ada in the terminal: Deploy\nDeploy\nNow?", buttons: [] }]);
    desktop.press();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/s/${one}`);
    expect(context.pages().filter((each) => each.url().startsWith(new URL(page.url()).origin))).toHaveLength(1);
    expect(shown()).toEqual([]);
    service.letGo();
    await expect.poll(() => desktop.all().at(-1)?.body).toBe("Answered by Ada in the terminal: Deploy");
    await expect.poll(shown).toEqual([]);

    await worker().evaluate(turnedAround);
    await expect
      .poll(() =>
        desktop
          .all()
          .map(({ body }) => body)
          .slice(-2),
      )
      .toEqual(["Now?", "Answered"]);
    // Not the desktop: Chromium leaves there what it replaces before the desktop's reply to the first one has come.
    await expect.poll(() => worker().evaluate(kept)).toEqual([]);

    await goTo(page, "/settings");
    await page.getByLabel("Push to this device").click();
    await until(async () => options.browsers().length === 0, "the end of the pushes");
    expect(complaints).toEqual([]);
  });
});
