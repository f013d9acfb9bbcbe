import type { AskInput } from "@askbox/core";
import { act, cleanup, fireEvent } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AnswerPane } from "../src/session/answer-pane.tsx";
import { settings } from "../src/stored-settings.ts";
import { cleansUp, look, opened, passes, shown, t } from "./page.ts";

cleansUp();

beforeEach(() => {
  // happy-dom has no layout: the action is in view, to its end.
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 300, 100));
  document.elementFromPoint = () => document.querySelector("[data-action]");
});
afterEach(() => void vi.restoreAllMocks());

const input = { command: "rm -rf dist", timeout: 5 };
const asking = (editable: boolean): AskInput => ({
  questions: [
    {
      id: "run",
      type: "approval",
      question: "May I?",
      action: { kind: "command", command: "rm -rf dist", input },
      editable,
    },
  ],
});

async function paneOf(editable: boolean) {
  const { stage, id } = await opened(asking(editable));
  const page = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  fireEvent(globalThis.window, new Event("resize"));
  await passes(stage, look);
  const button = (name: string) => [...page.querySelectorAll("button")].find((each) => each.textContent?.startsWith(name));
  const press = (name: string) => act(async () => void fireEvent.click(button(name) as Element));
  const write = (value: string) => act(async () => void fireEvent.change(page.querySelector("textarea") as Element, { target: { value } }));
  const answered = async () => {
    await act(() => stage.clock.advance(settings.getState().undoSeconds * 1_000));
    const { outcome } = await stage.view(id);
    return outcome?.kind === "answered" ? outcome.answers : undefined;
  };
  return { stage, id, page, button, press, write, answered };
}

test("an asker that takes no changed arguments gets none", async () => {
  expect((await paneOf(false)).button("Edit the arguments")).toBeUndefined();
});

test("the arguments can be changed before the action is allowed, if the asker takes that", async () => {
  const { page, button, press, write, answered } = await paneOf(true);
  await press("Edit the arguments");
  expect(page.querySelector("textarea")?.value).toBe(JSON.stringify(input, undefined, 2));
  expect(button("Allow once")).toBeDefined();
  await write("{ nothing");
  await press("Allow once");
  expect(page.querySelector(".actions-error")?.textContent).toBe(t("approval.input"));
  await write('{"command": "rm -rf dist/cache"}');
  await press("Allow the change once");
  expect(await answered()).toEqual([{ questionId: "run", values: ["allow"], input: { command: "rm -rf dist/cache" } }]);
});

test("edited arguments are in the draft, as typed, and forgotten by a denial", async () => {
  const { stage, id, press, write, answered } = await paneOf(true);
  await press("Edit the arguments");
  await write('{"command": "true"}');
  await act(() => stage.clock.advance(5_000));
  cleanup();
  const page = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  expect(page.querySelector("textarea")?.value).toBe('{"command": "true"}');
  const deny = [...page.querySelectorAll("button")].find((each) => each.textContent?.startsWith("Deny"));
  await act(async () => void fireEvent.click(deny as Element));
  expect(await answered()).toEqual([{ questionId: "run", values: ["deny"] }]);
});

test("a denial has no arguments, whatever was written", async () => {
  const { press, write, answered } = await paneOf(true);
  await press("Edit the arguments");
  await write("{ nothing");
  await press("Deny");
  expect(await answered()).toEqual([{ questionId: "run", values: ["deny"] }]);
});

test("arguments that another device changed are shown, and not allowed before they could be read", async () => {
  const { stage, id, page, press, answered } = await paneOf(true);
  const desk = stage.broker.desk({ surface: "terminal" });
  await act(async () => void (await desk.saveDraft(id, { fields: { run: { input: '{"command": "true"}' } } })));
  const field = page.querySelector("textarea");
  expect(field?.value).toBe('{"command": "true"}');
  // Only the action itself is in view.
  await press("Allow the change once");
  expect(page.querySelector(".actions-error")?.textContent).toBe(t("approval.below"));
  document.elementFromPoint = () => field;
  const scrollHeight = vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(500);
  await press("Allow the change once");
  expect(page.querySelector(".actions-error")?.textContent).toBe(t("approval.below"));
  scrollHeight.mockRestore();
  await press("Allow the change once");
  expect(page.querySelector(".actions-error")?.textContent).toBe(t("approval.early"));
  await passes(stage, 699);
  await press("Allow the change once");
  expect(page.querySelector(".actions-error")?.textContent).toBe(t("approval.early"));
  await passes(stage, 1);
  await press("Allow the change once");
  expect(await answered()).toEqual([{ questionId: "run", values: ["allow"], input: { command: "true" } }]);
});
