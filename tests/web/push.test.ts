import { silentLog, standardPlatform } from "@askbox/core";
import { mountPush } from "@askbox/hub-process";
import { newVapidKey, startNotify } from "@askbox/notify";
import { pushService } from "@askbox/notify/testing";
import type { BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { goTo, launchWholeBrowser, newContext, openPage, underControl } from "./support/browser.ts";
import { until } from "./support/until.ts";
import { startWebHub } from "./support/web-hub.ts";

/** A private window has no push service: the page gets this subscription instead, and its worker the messages by the browser's own tools. */
const subscribing = (subscription: object) => {
  const made = { ...subscription, toJSON: () => subscription, options: {}, unsubscribe: async () => true };
  Object.assign(PushManager.prototype, { subscribe: async () => made, getSubscription: async () => null });
};

/** Hands a push to the page's worker, as a push service does. */
async function handTo(context: BrowserContext, page: Page): Promise<(message: object) => Promise<void>> {
  const tools = await context.newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  tools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    const [registration] = registrations;
    if (registration !== undefined) registered.resolve(registration.registrationId);
  });
  await tools.send("ServiceWorker.enable");
  const registrationId = await registered.promise;
  const { origin } = new URL(page.url());
  return async (message) =>
    void (await tools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(message) }));
}

/**
 * In a worker: shows and lists notifications one after the other.
 *
 * Chromium forgets a notification that is listed before it is on the screen.
 */
const oneAtATime = () => {
  const { showNotification, getNotifications } = ServiceWorkerRegistration.prototype;
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = before.then(work);
    before = done.catch(() => undefined);
    return done;
  };
  Object.assign(ServiceWorkerRegistration.prototype, {
    showNotification(this: ServiceWorkerRegistration, ...rest: Parameters<typeof showNotification>) {
      return inTurn(() => showNotification.apply(this, rest));
    },
    getNotifications(this: ServiceWorkerRegistration, ...rest: Parameters<typeof getNotifications>) {
      return inTurn(() => getNotifications.apply(this, rest));
    },
  });
};

/** A hub with pushes, and a logged-in browser that gets them. */
async function pushed() {
  const service = pushService();
  const vapid = newVapidKey();
  const mounted = mountPush({ key: async () => vapid, log: silentLog });
  const hub = await startWebHub({ mounts: [mounted.mount] });
  const options = await mounted.options({
    showText: true,
    answerAs: ({ name, person = name }) => hub.desk({ surface: "web", name: person }),
  });
  const notify = await startNotify({
    ...{ desk: hub.desk({ surface: "api" }), clock: standardPlatform(globalThis).clock, log: silentLog },
    rules: { rules: [{ client: "claude-code", after: 0 }] },
    remote: { targets: [], fetch: service.fetch, push: options },
  });
  mounted.connect(notify.push);
  const browser = await launchWholeBrowser();
  onTestFinished(async () => {
    await browser.close();
    await notify.close();
    await hub.close();
  });
  const context = await newContext(browser, { permissions: ["notifications"] });
  await context.addInitScript(subscribing, service.subscribe("chromium"));
  const { page, complaints } = await openPage(context, hub.loginUrl());
  await underControl(page);
  const worker = () => context.serviceWorkers()[0] ?? expect.fail("The page has no worker.");
  const deliver = await handTo(context, page);
  await worker().evaluate(oneAtATime);
  let count = 0;
  return {
    ...{ hub, page, options, complaints, worker },
    /** Passes the next push on to the browser. */
    async next() {
      count += 1;
      await until(async () => service.delivered.length >= count, "a push");
      await deliver(service.delivered[count - 1]?.message ?? {});
    },
    /** The notifications that are shown. */
    shown: () =>
      worker().evaluate(async () => {
        const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
        return (await registration.getNotifications()).map(
          ({ title, body, actions = [] }: Notification & { actions?: { title: string }[] }) => ({
            ...{ title, body, actions: actions.map((action) => action.title) },
          }),
        );
      }),
    /** Presses a button of the only notification; without one, taps it. */
    press: (action = "") =>
      worker().evaluate(async (name) => {
        const scope = globalThis as unknown as {
          registration: ServiceWorkerRegistration;
          NotificationEvent: new (type: string, init: object) => Event;
        };
        const [notification] = await scope.registration.getNotifications();
        dispatchEvent(new scope.NotificationEvent("notificationclick", { notification, action: name }));
      }, action),
  };
}

const question = { title: "Deploy", questions: [{ question: "Now?", type: "confirm" as const }] };

test("a browser that turned pushes on shows them, answers with a button, opens the question by a tap, and says what went wrong", async () => {
  const { hub, page, options, complaints, next, shown, press } = await pushed();
  await goTo(page, "/settings");
  const toggle = page.getByLabel("Push to this device");
  await toggle.click();
  await expect.poll(() => toggle.isChecked()).toBe(true);
  expect(options.browsers()).toMatchObject([{ name: "Chrome on Linux", push: { allow: false } }]);
  await goTo(page, "/");

  const one = await hub.ask(question);
  await next();
  await expect.poll(shown).toEqual([{ title: "askbox: Claude Code in engine (main)", body: "Deploy\nNow?", actions: ["Yes", "No"] }]);
  await press("1");
  await until(async () => (await hub.view(one)).status === "answered", "the answer");
  const { outcome } = await hub.view(one);
  expect(outcome).toMatchObject({ answers: [{ values: ["no"] }], by: { surface: "web", name: "Chrome on Linux" } });
  await next();
  await expect.poll(shown).toMatchObject([{ body: "Answered by Chrome on Linux: Deploy", actions: [] }]);
  await expect.poll(shown).toEqual([]);

  const two = await hub.ask(question);
  await next();
  await expect.poll(shown).toHaveLength(1);
  await hub.desk().answer(two, { answers: [{ questionId: (await hub.view(two)).questions[0]?.id ?? "", values: ["yes"] }] });
  await press("1");
  await expect
    .poll(shown)
    .toMatchObject([{ body: expect.stringContaining("Your press came too late. Answered by Ada: Deploy"), actions: [] }]);
  await press();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/s/${two}`);
  expect(await shown()).toEqual([]);
  await next();
  await expect.poll(shown).toEqual([]);

  const three = await hub.ask({ title: "Run", questions: [{ question: "Which?", type: "text" }] });
  await next();
  // The other one closes by itself.
  await expect.poll(shown).toMatchObject([{ body: "Run\nWhich?", actions: [] }]);
  await press();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/s/${three}`);

  await goTo(page, "/settings");
  await page.getByLabel("Push to this device").click();
  await until(async () => options.browsers().length === 0, "the end of the pushes");
  // No window of the inbox may be focused without a real tap.
  expect(complaints).toEqual([]);
});

test("a press that doesn't reach the hub says so, and keeps its buttons", async () => {
  const { hub, page, next, shown, press } = await pushed();
  await goTo(page, "/settings");
  await page.getByLabel("Push to this device").click();
  await expect.poll(() => page.getByLabel("Push to this device").isChecked()).toBe(true);
  await hub.ask(question);
  await next();
  await expect.poll(shown).toHaveLength(1);
  await hub.down();
  await press("0");
  await expect
    .poll(shown)
    .toMatchObject([{ body: "Not sent: the inbox could not be reached. Press again.\nDeploy\nNow?", actions: ["Yes", "No"] }]);
  await hub.up();
});

/** In a worker: the next notification is only shown when it is let go, and what was shown is listed. */
const holdNext = () => {
  const { showNotification } = ServiceWorkerRegistration.prototype;
  const gate = Promise.withResolvers<void>();
  const held = { isHeld: false, letGo: gate.resolve, bodies: [] as (string | undefined)[] };
  Object.assign(globalThis, { held });
  Object.assign(ServiceWorkerRegistration.prototype, {
    async showNotification(this: ServiceWorkerRegistration, ...rest: Parameters<typeof showNotification>) {
      const isNext = !held.isHeld;
      held.isHeld = true;
      if (isNext) await gate.promise;
      await showNotification.apply(this, rest);
      held.bodies.push(rest[1]?.body);
    },
  });
};
type Holding = { held: { isHeld: boolean; letGo(): void; bodies: string[] } };

test("a question that is settled before its notification is on the screen does not stay there", async () => {
  const { hub, page, worker, next, shown } = await pushed();
  await goTo(page, "/settings");
  await page.getByLabel("Push to this device").click();
  await expect.poll(() => page.getByLabel("Push to this device").isChecked()).toBe(true);
  await worker().evaluate(holdNext);
  const id = await hub.ask(question);
  await next();
  await expect.poll(() => worker().evaluate(() => (globalThis as unknown as Holding).held.isHeld)).toBe(true);
  await hub.desk().answer(id, { answers: [{ questionId: (await hub.view(id)).questions[0]?.id ?? "", values: ["yes"] }] });
  await next();
  await worker().evaluate(() => (globalThis as unknown as Holding).held.letGo());
  await expect
    .poll(() => worker().evaluate(() => (globalThis as unknown as Holding).held.bodies))
    .toEqual(["Deploy\nNow?", "Answered by Ada: Deploy"]);
  await expect.poll(shown).toEqual([]);
});
