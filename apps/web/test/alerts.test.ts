import type { AskInput } from "@askbox/core";
import { act, fireEvent } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { Alerts } from "../src/alerts/alerts.tsx";
import { NotificationField } from "../src/settings/preference-fields.tsx";
import { changeSettings } from "../src/stored-settings.ts";
import { cleansUp, shown, t } from "./page.ts";

cleansUp();

const minutes = 60_000;
const sure = (title: string, timeout: number): AskInput => ({ title, timeout, questions: [{ question: "Sure?", type: "confirm" }] });

let sounds = 0;
let told: { title: string; body?: string | undefined }[] = [];
/** As on phones, which have notifications, but not for pages. */
let isPhone = false;

beforeEach(() => {
  [sounds, told, isPhone] = [0, [], false];
  class Note {
    static permission: NotificationPermission = "granted";
    static requestPermission = async () => "granted";
    constructor(title: string, { body }: NotificationOptions = {}) {
      if (isPhone) throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.");
      told.push({ title, body });
    }
    close() {}
  }
  class Loudspeaker {
    constructor() {
      sounds += 1;
      throw new Error("There is none.");
    }
  }
  vi.stubGlobal("Notification", Note);
  vi.stubGlobal("AudioContext", Loudspeaker);
  vi.spyOn(document, "hasFocus").mockReturnValue(false);
  document.head.innerHTML = '<link rel="icon">';
  // happy-dom draws nothing: a picture is the colour that was filled in first.
  let colour = "";
  const context = {
    fillStyle: "",
    fill() {
      colour = context.fillStyle;
    },
    beginPath() {},
    roundRect() {},
    fillText() {},
  };
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, "toDataURL").mockImplementation(() => `data:image/png,${colour}`);
});
afterEach(() => {
  vi.unstubAllGlobals();
  changeSettings({ notify: "unasked", sound: false });
});

async function alerting() {
  const stage = await createStage();
  const line = shown(stage, createElement(Alerts));
  const icon = () => document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href;
  const ask = (title: string, timeout = 30 * minutes) => act(() => stage.ask(sure(title, timeout)));
  return { stage, ask, icon, said: () => line.textContent };
}

test("title, icon, a sound and a line for screen readers announce a new question and its approaching end", async () => {
  const { stage, ask, icon, said } = await alerting();
  await ask("Deploy", 10 * minutes);
  await expect.poll(said).toBe("New question: Deploy");
  expect(document.title).toBe("(1) askbox");
  // There is no sound unless it is turned on.
  expect(sounds).toBe(0);
  changeSettings({ sound: true });
  await ask("Rename", 20 * minutes);
  await expect.poll(() => document.title).toBe("(2) askbox");
  expect(sounds).toBe(1);
  const calm = icon();
  expect(calm).toMatch(/^data:/);
  // Two minutes before the end.
  await act(() => stage.clock.advance(7.9 * minutes));
  expect(document.title).toBe("(2) askbox");
  await act(() => stage.clock.advance(0.2 * minutes));
  await expect.poll(() => document.title).toBe("(2!) askbox");
  expect([said(), sounds]).toEqual(["Ends soon: Deploy", 2]);
  expect(icon()).not.toBe(calm);
});

test("a question that arrives while the page is in the background causes a notification, if enabled", async () => {
  const { ask, said } = await alerting();
  const arrives = async (title: string) => {
    await ask(title);
    await expect.poll(said).toBe(`New question: ${title}`);
  };
  changeSettings({ notify: "off" });
  await arrives("Missed off");
  changeSettings({ notify: "on" });
  await arrives("Missed on");
  vi.mocked(document.hasFocus).mockReturnValue(true);
  await arrives("Seen");
  expect(told).toEqual([{ title: t("alerts.title"), body: "Missed on" }]);
});

test("the switch for notifications stays or turns off if the browser shows none for a page, and says so, as it does if they are blocked", async () => {
  isPhone = true;
  const { stage, ask } = await alerting();
  const field = shown(stage, createElement(NotificationField));
  const toggle = () => field.querySelector("input");
  fireEvent.click(toggle() as Element);
  await expect.poll(() => field.textContent).toContain(t("preferences.notify.failed"));
  expect(toggle()?.checked).toBe(false);

  await act(() => changeSettings({ notify: "on" }));
  expect(toggle()?.checked).toBe(true);
  await ask("Deploy");
  await expect.poll(() => field.textContent).toContain(t("preferences.notify.failed"));
  expect(toggle()?.checked).toBe(false);

  Object.assign(Notification, { permission: "denied" });
  fireEvent(window, new Event("focus"));
  await expect.poll(() => field.textContent).toContain(t("preferences.notify.denied"));
  expect(toggle()?.disabled).toBe(true);
});
