import type { AskInput } from "@askbox/core";
import { AskboxContext } from "@askbox/react";
import { act, cleanup, fireEvent, render } from "@testing-library/react";
import { createElement, type ReactElement } from "react";
import { afterEach } from "vitest";
import { createStage, type Stage } from "../gallery/stage.ts";
import { App } from "../src/app.tsx";
import { basePath } from "../src/base-path.ts";
import { en } from "../src/i18n/en.ts";
import { enLater } from "../src/i18n/en-later.ts";
import { createTranslate, english } from "../src/i18n/translate.ts";

/** Removes what a test of this file has shown. Files share this module, so each says so itself. */
export const cleansUp = (): void => void afterEach(cleanup);

// happy-dom has none.
Object.assign(globalThis, {
  visualViewport: Object.assign(new EventTarget(), { height: 768, offsetTop: 0, scale: 1 }),
  isSecureContext: true,
});
Object.assign(english, enLater);

/** The page's words in English. */
export const t = createTranslate("en", { ...en, ...enLater });

/** Renders a part of the page on a broker of its own. */
export function shown({ askbox }: Stage, part: ReactElement): HTMLElement {
  return render(createElement(AskboxContext, { value: askbox }, part)).container;
}

/** A session's form on a broker of its own. */
export async function opened(input: AskInput, stage?: Stage) {
  stage ??= await createStage();
  return { stage, ...(await stage.ask(input)) };
}

/** The whole page at this path, in English. */
export function pageAt({ askbox, broker }: Stage, path = "/"): HTMLElement {
  history.replaceState(null, "", basePath + path);
  const devices = { list: async () => [], revoke: async () => {} };
  return render(createElement(App, { parts: { ...askbox, devices, grants: { ...broker.grants, ran: broker.ran.list } }, reason: "none" }))
    .container;
}

/** Where the page is. */
export const path = (): string => location.pathname.slice(basePath.length);

/** Lets time pass. A stage's clock stands still otherwise, so nothing here depends on how quick the machine is. */
export const passes = ({ clock }: Stage, ms: number): Promise<void> => act(() => clock.advance(ms));

/** As long as a person looks before they go on: longer than any guard against keys that were meant for something else, in ms. */
export const look = 10_000;

/** Presses keys where the focus is. */
export async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }));
}

/** Types a text into a field, or chooses an option. */
export const fill = (field: Element | null | undefined, value: string): Promise<void> =>
  act(async () => void fireEvent[field?.tagName === "SELECT" ? "change" : "input"](field as Element, { target: { value } }));

export const click = (element: Element | null | undefined): Promise<void> => act(async () => void fireEvent.click(element as Element));

/** The button with this text or name. */
export const button = (page: Element, name: string | RegExp): HTMLButtonElement | undefined =>
  [...page.querySelectorAll("button")].find((each) => {
    const words = (each.getAttribute("aria-label") ?? each.textContent ?? "").replace(/[\u2068\u2069]/g, "");
    return typeof name === "string" ? words.startsWith(name) : name.test(words);
  });
