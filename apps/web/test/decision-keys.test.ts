import type { Action } from "@askbox/core";
import { fireEvent } from "@testing-library/react";
import { createElement } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { AnswerPane } from "../src/session/answer-pane.tsx";
import { cleansUp, look, opened, passes, press, shown } from "./page.ts";

cleansUp();

beforeEach(() => {
  // happy-dom has no layout: the action is in view, to its end.
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 300, 100));
  document.elementFromPoint = () => document.querySelector("[data-action]");
});

async function asked(action: Action) {
  const { stage, id } = await opened({ questions: [{ type: "approval", question: "May I?", action }] });
  const page = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  fireEvent(globalThis.window, new Event("resize"));
  await passes(stage, look);
  return { stage, page, decided: async () => (await stage.view(id)).scheduled !== undefined };
}

test.each([
  ["a command", { kind: "command", command: "ls" }, "Y (Shift y) allows once, n denies."],
  ["a plan", { kind: "plan", text: "Drop the table." }, "Y (Shift y) approves the plan, n keeps planning."],
] satisfies [string, Action, string][])("y and Enter decide nothing about %s, and say which keys do", async (_, action, words) => {
  const { stage, page, decided } = await asked(action);
  const said = () => page.querySelector(".actions-error")?.textContent;
  for (const key of ["Enter", "y"]) {
    await press(key);
    expect(said()).toBe(words);
    expect(await decided()).toBe(false);
    await passes(stage, look);
    expect(said()).toBeUndefined();
  }
  await press("n");
  await expect.poll(decided).toBe(true);
});
