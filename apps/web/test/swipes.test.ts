import type { AskInput } from "@askbox/core";
import { act } from "@testing-library/react";
import { createElement, createRef, type RefObject } from "react";
import { expect, test } from "vitest";
import { Swipes, swipedAnswer } from "../src/inbox/swipes.ts";
import { cleansUp, opened, shown } from "./page.ts";

cleansUp();

const sure = { type: "confirm" as const, question: "Sure?" };
const fruit = { type: "select" as const, question: "Which?", options: ["Apple", { label: "Pear", recommended: true }] };
const many = {
  type: "multi-select" as const,
  question: "Which ones?",
  options: [{ label: "a", recommended: true }, "b", { label: "c", recommended: true }],
};
const action = { kind: "command" as const, command: "ls" };

test.each<[string, AskInput["questions"], string[]]>([
  ["yes or no: Yes", [sure], ["yes"]],
  ["a choice with a recommendation", [fruit], ["Pear"]],
  ["several recommendations", [many], ["a", "c"]],
  ["a rating with a suggestion", [{ type: "rating", question: "How big?", max: 5, suggestion: 3 }], ["3"]],
  ["a choice without a recommendation: nothing", [{ ...fruit, options: ["Apple", "Pear"] }], []],
  ["a text, even with a suggestion: nothing", [{ type: "text", question: "Why?", suggestion: "Because" }], []],
  ["an approval: nothing", [{ type: "approval", question: "May I?", action }], []],
  ["a set: nothing", [sure, sure], []],
])("a swipe to the right answers %s", async (_, questions, values) => {
  expect(swipedAnswer((await opened({ questions })).form)).toEqual(values);
});

test("a swipe doesn't replace a draft", async () => {
  const { form } = await opened({ questions: [{ id: "fruit", ...fruit }] });
  form.choose("fruit", "Apple");
  expect(swipedAnswer(form)).toEqual([]);
});

/** A row in a list, with swipes; the finger moves by `by` px. */
async function swiped(by: readonly (readonly [number, number])[], input: AskInput = { questions: [{ id: "q", ...sure }] }) {
  const { stage, id } = await opened(input);
  const list = document.createElement("section");
  list.innerHTML = `<ul><li><a data-session="${id}">Row</a></li></ul>`;
  document.body.append(list);
  const ref = createRef() as RefObject<HTMLElement | null>;
  ref.current = list;
  shown(stage, createElement(Swipes, { list: ref }));
  const row = list.querySelector("a") as HTMLElement;
  const point = (name: string, clientX: number, clientY: number) =>
    row.dispatchEvent(new PointerEvent(name, { bubbles: true, pointerType: "touch", isPrimary: true, clientX, clientY }));
  const said: (string | undefined)[] = [];
  await act(async () => {
    point("pointerdown", 0, 0);
    for (const [x, y] of by) {
      point("pointermove", x, y);
      said.push(row.closest("li")?.dataset["swipe"]?.replace(/[\u2068\u2069]/g, ""));
    }
    point("pointerup", 0, 0);
  });
  const click = new MouseEvent("click", { bubbles: true, cancelable: true });
  row.dispatchEvent(click);
  list.remove();
  const draft = await stage.broker.desk({ surface: "cli" }).getDraft(id);
  const { snoozedUntil } = await stage.view(id);
  const snoozed = snoozedUntil === undefined ? [] : [(snoozedUntil - stage.clock.now()) / 60_000];
  return { snoozed, held: draft?.scheduled !== undefined, opens: !click.defaultPrevented, said };
}

test("a long swipe to the right sends, held back so that it can be undone, and one to the left snoozes; neither opens the question", async () => {
  expect(
    await swiped([
      [40, 2],
      [120, 4],
    ]),
  ).toEqual({ snoozed: [], held: true, opens: false, said: ["Send Yes", "Send Yes"] });
  expect(await swiped([[-120, 4]])).toEqual({ snoozed: [4], held: false, opens: false, said: ["Snooze for 4 min"] });
});

test("a swipe to the left snoozes for 15 minutes, or for as long as the deadline allows, and not at all if too little time is left", async () => {
  const until = async (timeout: number) => (await swiped([[-120, 4]], { questions: [{ id: "q", ...sure }], timeout })).snoozed;
  expect(await until(1_800_000)).toEqual([15]);
  expect(await until(600_000)).toEqual([8]);
  expect(await until(300_000)).toEqual([4]);
  expect(await until(60_000)).toEqual([]);
});

test("a short swipe, one that is taken back, scrolling and tapping do nothing else, and no swipe allows an action", async () => {
  expect(await swiped([[60, 2]])).toMatchObject({ snoozed: [], held: false, opens: false });
  expect(
    await swiped([
      [150, 2],
      [20, 2],
    ]),
  ).toMatchObject({ held: false, opens: false });
  expect(await swiped([[100, 90]])).toMatchObject({ held: false, opens: true });
  expect(await swiped([[3, 1]])).toMatchObject({ held: false, opens: true });
  const approval = { questions: [{ id: "q", type: "approval" as const, question: "May I?", action }] };
  expect(await swiped([[300, 0]], approval)).toMatchObject({ held: false, opens: false, said: [""] });
});
