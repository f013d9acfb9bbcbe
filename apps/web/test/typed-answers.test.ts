import type { AskInput } from "@askbox/core";
import { act } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AnswerPane } from "../src/session/answer-pane.tsx";
import { changeSettings } from "../src/stored-settings.ts";
import { button, cleansUp, click, fill, opened, shown } from "./page.ts";

cleansUp();
beforeEach(() => changeSettings({ layout: "page", undoSeconds: 0 }));
afterEach(() => changeSettings({ layout: "steps", undoSeconds: 5 }));

const typed: AskInput = {
  title: "A release",
  questions: [
    { id: "n", type: "number", question: "How many workers?", min: 1, max: 64, integer: true, unit: "workers", suggestion: 8 },
    { id: "d", type: "date", question: "When is the freeze?", min: "2026-01-30", max: "2026-12-31", suggestion: "2026-03-31" },
    { id: "m", type: "text", question: "Whom to tell?", format: "email", placeholder: "ada@example.com" },
    { id: "u", type: "text", question: "Where is the plan?", format: "url", required: false },
    { id: "t", type: "text", question: "When exactly?", format: "date-time", required: false },
    { id: "s", type: "text", question: "What is it called?", minLength: 2, maxLength: 20, suggestion: "lathe" },
    { id: "c", type: "multi-select", question: "Which two?", options: ["a", "b", "c"], minChoices: 2, maxChoices: 2, allowOther: false },
    { id: "y", type: "confirm", question: "Sure?", suggestion: "no" },
    { id: "r", type: "rating", question: "How good is it?", max: 10, minLabel: "poor", maxLabel: "great", suggestion: 7 },
  ],
};

async function paneOf() {
  const { stage, id } = await opened(typed);
  const pane = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  const card = (of: string) => pane.querySelector(`[data-question=${of}]`) as HTMLElement;
  return {
    pane,
    card,
    field: (of: string) => card(of).querySelector<HTMLInputElement>(":is(input:not([type=date]), textarea)") as HTMLInputElement,
    error: (of: string) => card(of).querySelector(".error")?.textContent,
    option: (of: string, label: string) => card(of).querySelector(`[data-option="${label}"] input`),
    send: () => click(pane.querySelector("[data-testid=primary]")),
    answers: async () => {
      const { outcome } = await stage.view(id);
      return outcome?.kind === "answered" ? outcome.answers.map(({ values }) => values) : outcome;
    },
  };
}

// promise: nothing-preselected, question-text-inert
test("nothing is prefilled, and errors appear once a field was left", async () => {
  const { pane, field, error, send, answers } = await paneOf();
  const leave = async (of: string) => {
    act(() => field(of).focus());
    await act(async () => field(of).blur());
  };
  for (const each of pane.querySelectorAll<HTMLInputElement>("input:not([type=radio], [type=checkbox]), textarea"))
    expect(each.value).toBe("");
  expect(pane.querySelectorAll("input:checked").length).toBe(0);
  act(() => field("n").focus());
  await fill(field("n"), "1,5");
  expect(error("n")).toBe("");
  await leave("n");
  expect(error("n")).toContain("Use only digits");
  await fill(field("d"), "2026-02-30");
  await leave("d");
  expect(error("d")).toContain("Enter a date as");
  await fill(field("n"), "65");
  expect(error("n")).toBe("Must be at most 64.");
  await fill(field("d"), "2027-01-01");
  expect(error("d")).toBe("Must be 2026-12-31 or earlier.");
  for (const of of ["m", "u", "t", "s"]) {
    await fill(field(of), "x");
    await leave(of);
    expect([of, error(of)]).toEqual([of, expect.stringMatching(/./)]);
    expect(field(of).getAttribute("aria-invalid")).toBe("true");
  }
  await send();
  expect(error("y")).toContain("Please answer");
  expect(await answers()).toBeUndefined();
});

test("everything can be answered with clicks: suggestions by their buttons, the date in the calendar's input", async () => {
  const { pane, card, field, error, option, send, answers } = await paneOf();
  await click(button(card("n"), /^Use “8”/));
  await click(button(card("d"), /2026-03-31/));
  expect(field("d").value).toBe("2026-03-31");
  await click(button(card("d"), "Choose in a calendar"));
  await fill(pane.querySelector(".calendar > input"), "2026-05-01");
  expect(field("d").value).toBe("2026-05-01");
  await fill(field("m"), " ada@example.com ");
  await click(button(card("s"), /^Use .*lathe/));
  await click(option("c", "a"));
  await send();
  expect(error("c")).toBe("Choose at least 2.");
  await click(option("c", "c"));
  await click(button(card("y"), "Use recommended"));
  await click(button(card("r"), "Use the suggestion (7)"));
  await send();
  await expect.poll(answers).toEqual([["8"], ["2026-05-01"], ["ada@example.com"], [], [], ["lathe"], ["a", "c"], ["no"], ["7"]]);
});
