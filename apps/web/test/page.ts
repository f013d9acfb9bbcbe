import type { AskInput } from "@askbox/core";
import { AskboxContext } from "@askbox/react";
import { cleanup, render } from "@testing-library/react";
import { createElement, type ReactElement, type ReactNode } from "react";
import { afterEach } from "vitest";
import { createStage, type Stage } from "../gallery/stage.ts";
import { en } from "../src/i18n/en.ts";
import { enLater } from "../src/i18n/en-later.ts";
import { createTranslate, english } from "../src/i18n/translate.ts";
import { DeclinesContext, useDeclines } from "../src/inbox/use-declines.ts";

/** Removes what a test of this file has shown. Files share this module, so each says so itself. */
export const cleansUp = (): void => void afterEach(cleanup);

// happy-dom has none.
Object.assign(globalThis, { visualViewport: Object.assign(new EventTarget(), { height: 768, offsetTop: 0, scale: 1 }) });
Object.assign(english, enLater);

/** The page's words in English. */
export const t = createTranslate("en", { ...en, ...enLater });

/** Renders a part of the page on a broker of its own. */
export function shown({ askbox }: Stage, part: ReactElement): HTMLElement {
  return render(createElement(AskboxContext, { value: askbox }, createElement(Declining, undefined, part))).container;
}

function Declining({ children }: { children?: ReactNode }) {
  return createElement(DeclinesContext, { value: useDeclines() }, children);
}

/** A session's form on a broker of its own. */
export async function opened(input: AskInput, stage?: Stage) {
  stage ??= await createStage();
  return { stage, ...(await stage.ask(input)) };
}
