import type { QuestionOf } from "@askbox/core";
import { act, fireEvent } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AnswerPane } from "../src/session/answer-pane.tsx";
import { GrantMenu } from "../src/session/grant-menu.tsx";
import { settings } from "../src/stored-settings.ts";
import { cleansUp, look, opened, passes, shown, t } from "./page.ts";

cleansUp();

beforeEach(() => {
  // happy-dom has no layout: the action is in view, to its end.
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 300, 100));
  document.elementFromPoint = () => document.querySelector("[data-action]");
});
afterEach(() => void vi.restoreAllMocks());

const options = [{ value: "agent:always", label: "Always allow \u202eohce" }];

test("what an agent itself offers to remember is in the menu beside our grants, in its words and marked as such", async () => {
  const { stage, id } = await opened({
    questions: [{ id: "run", type: "approval", question: "May I?", action: { kind: "command", command: "echo" }, agentOptions: options }],
  });
  const page = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  fireEvent(globalThis.window, new Event("resize"));
  await passes(stage, look);
  expect(page.querySelector(".approval-always")?.textContent).toContain(t("approval.always"));
  const menu = page.querySelector(".grant-menu") as Element;
  await act(async () => void fireEvent(menu, Object.assign(new Event("toggle"), { newState: "open" })));
  await act(() => stage.clock.advance(settings.getState().undoSeconds * 1_000));
  await vi.waitFor(() => expect(menu.textContent).toContain(t("grant.agents")));
  const chosen = vi.fn();
  const session = await stage.view(id);
  const [question] = session.questions;
  const alone = shown(stage, createElement(GrantMenu, { session, question: question as QuestionOf<"approval">, onAllow: chosen }));
  const button = alone.querySelector(".grant-agents button") as Element;
  // A character that turns the text around is shown, not obeyed.
  expect(button.textContent).not.toContain("\u202e");
  // No grant of askbox is offered here.
  expect(alone.querySelector("select")).toBeNull();
  await act(async () => void fireEvent.click(button));
  expect(chosen).toHaveBeenCalledWith("agent:always");
});
