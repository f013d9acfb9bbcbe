import type { AskInput } from "@askbox/core";
import { act, fireEvent } from "@testing-library/react";
import { createElement } from "react";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { navigate, sessionPath } from "../src/router/router.tsx";
import { AnswerPane } from "../src/session/answer-pane.tsx";
import { KeysDialog } from "../src/shell/keys-dialog.tsx";
import { Messages } from "../src/thread/thread.tsx";
import { cleansUp, opened, shown } from "./page.ts";

cleansUp();

type Questions = AskInput["questions"];
const sure = { type: "confirm" as const, question: "Sure?" };
const fruit = { type: "select" as const, question: "Which?", options: ["Apple", "Pear"] };
const ranks = { type: "ranking" as const, question: "What first?", options: ["Speed", "Price"] };
const why = { type: "text" as const, question: "Why?" };
const count = { type: "number" as const, question: "How many?" };
const size = { type: "rating" as const, question: "How big?", max: 5 };
const many = { ...fruit, type: "multi-select" as const };

const button = (pane: Element, words: string) => [...pane.querySelectorAll("button")].find((each) => each.textContent?.includes(words));
const find = (selector: string) => (pane: Element) => pane.querySelector<HTMLElement>(selector);
const click = (words: string) => (pane: Element) => void fireEvent.click(button(pane, words) as Element);

interface Row {
  of: string;
  questions: Questions;
  layout?: "page";
  /** What happens before the focus is set. */
  before?: (pane: HTMLElement) => void;
  focus?: (pane: HTMLElement) => HTMLElement | null | undefined;
  /** The keys on the buttons that send, decline and add a note, and on the first option. */
  keys: { send?: string; decline?: string; note?: string; option?: string };
}

const letters = { decline: "d", note: "m" };
const typed = { decline: "", note: "Alt m" };

const table: Row[] = [
  { of: "the title", questions: [sure], keys: { send: "Enter", option: "y", ...letters } },
  { of: "a radio", questions: [fruit], focus: find("input"), keys: { send: "Enter", option: "1", ...letters } },
  { of: "a checkbox", questions: [many], focus: find("input"), keys: { send: "Enter", option: "1", ...letters } },
  { of: "a step of a rating", questions: [size], focus: find("input"), keys: { send: "Enter", ...letters } },
  { of: "a ranking's handle", questions: [ranks], focus: find(".handle"), keys: { send: "Enter", ...letters } },
  { of: "a ranking's arrow", questions: [ranks], focus: find(".down"), keys: { send: "Ctrl Enter", ...letters } },
  { of: "a required text", questions: [why], focus: find("textarea"), keys: { send: "Enter", ...typed } },
  {
    of: "an optional text, which is empty",
    questions: [{ ...why, required: false }],
    focus: find("textarea"),
    keys: { send: "Ctrl Enter", ...typed },
  },
  { of: "a number", questions: [count], focus: find("input"), keys: { send: "Enter", ...typed } },
  {
    of: "the text after Esc",
    questions: [why],
    before: (pane) => void fireEvent.keyDown(find("textarea")(pane) as Element, { key: "Escape" }),
    keys: { send: "Enter", ...letters },
  },
  {
    of: "Other's text",
    questions: [fruit],
    before: (pane) => void fireEvent.click([...pane.querySelectorAll(".option input")].at(-1) as Element),
    focus: find("textarea.other"),
    keys: { send: "Enter", option: "", ...typed },
  },
  {
    of: "a note",
    questions: [fruit],
    before: click("Add a note"),
    focus: find("[data-extra=note] textarea"),
    // Enter only finishes it.
    keys: { send: "", decline: "", option: "" },
  },
  {
    of: "the box for asking back",
    questions: [fruit],
    before: click("Ask the agent"),
    focus: find(".thread-ask textarea"),
    keys: { send: "", option: "", ...typed },
  },
  {
    of: "a button",
    questions: [fruit],
    focus: (pane) => button(pane, "Ask the agent"),
    keys: { send: "Ctrl Enter", option: "1", ...letters },
  },
  {
    of: "one page, in a choice",
    questions: [fruit, why],
    layout: "page",
    focus: find("input"),
    keys: { send: "Enter", option: "1", ...letters },
  },
  {
    of: "one page, in a text",
    questions: [fruit, why],
    layout: "page",
    focus: find("textarea"),
    keys: { send: "Enter", option: "", ...typed },
  },
];

/** The key on a button, or beside an option; empty if none works. */
function keyOn(element: Element | null | undefined): string {
  const hint = element?.querySelector(".key-hint");
  return hint?.hasAttribute("data-typed") === false ? (hint.textContent ?? "") : "";
}

test.each(table)("the keys that are shown work with the focus in $of", async ({ questions, layout, before, focus, keys }) => {
  const { stage, form, id } = await opened({ questions });
  const pane = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  await act(async () => {
    form.setLayout(layout ?? "steps");
  });
  await act(async () => before?.(pane));
  await act(async () => {
    focus?.(pane)?.focus();
    if (focus !== undefined) expect(document.activeElement).toBe(focus(pane));
  });
  const all: Row["keys"] = {
    send: keyOn(pane.querySelector("[data-testid=primary]")),
    decline: keyOn(button(pane, "Decline")),
    note: keyOn(button(pane, "Add a note")),
    option: keyOn(pane.querySelector(".option label")),
  };
  expect(Object.fromEntries(Object.keys(keys).map((name) => [name, all[name as keyof Row["keys"]]]))).toEqual(keys);
  // The help agrees: it begins with what works here, and has what a button shows.
  act(() => navigate(sessionPath(id)));
  const help = shown(stage, createElement(KeysDialog, { onClose() {} }));
  const here = [...(help.querySelector("section")?.querySelectorAll("kbd") ?? [])].map(({ textContent }) => textContent);
  expect(Object.values(all).filter((key) => key !== "" && !here.includes(key.replace("1", "1–9")))).toEqual([]);
  expect(here.includes("d")).toBe(all.decline !== "");
});

test("the key that attaches a file is shown at the comment only when it attaches there", async () => {
  const { stage, form, id } = await opened({ questions: [why, { ...why, question: "What next?" }] });
  const pane = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  const keys = () => [...pane.querySelectorAll(".attachments")].map((each) => [each.closest(".comment") === null, keyOn(each)]);
  await act(async () => form.setComment("Read both."));
  await expect.poll(keys).toEqual([
    [true, "F"],
    [false, ""],
  ]);
  await act(async () => form.goTo(2));
  await expect.poll(keys).toEqual([[false, "F"]]);
});

test("the keyboard help begins with what applies to the open question", async () => {
  const { stage, id } = await opened({ questions: [{ ...sure, required: true }] });
  act(() => navigate(sessionPath(id)));
  const help = shown(stage, createElement(KeysDialog, { onClose() {} }));
  const here = help.querySelector("section");
  expect(here?.querySelector("h3")?.textContent).toBe("Here");
  expect(here?.textContent).toContain("More time");
  expect(here?.textContent).not.toContain("Skip an optional question");
});

test("Enter and Ctrl Enter finish a note and send nothing, and a second Enter that follows at once sends nothing either", async () => {
  for (const how of [{ key: "Enter" }, { key: "Enter", ctrlKey: true }]) {
    const { stage, form, id } = await opened({ questions: [fruit] });
    const pane = await shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
    form.choose(form.getState().session.questions[0]?.id ?? "", "Apple");
    await act(async () => click("Add a note")(pane));
    const note = find("[data-extra=note] textarea")(pane) as HTMLTextAreaElement;
    await act(async () => void fireEvent.change(note, { target: { value: "Ripe ones" } }));
    await act(async () => void fireEvent.keyDown(note, { ...how, bubbles: true }));
    expect(document.activeElement).not.toBe(note);
    await act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: "Enter" }));
    expect(form.getState()).toMatchObject({ phase: "editing" });
    expect(Object.values(form.getState().fields)[0]?.note).toBe("Ripe ones");
  }
});

test("a digit in a ranking leads to an option, and from there moves it to that rank; the order as it stands has a key", async () => {
  const { stage, form, id } = await opened({ questions: [{ ...ranks, options: ["Speed", "Price", "Size"] }] });
  const pane = await shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  const press = (key: string) => act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }));
  const hints = () => [...pane.querySelectorAll(".rank")].map((row) => keyOn(row));
  expect(hints()).toEqual(["1", "2", "3"]);
  await press("3");
  expect(document.activeElement?.closest(".rank")?.textContent).toContain("Size");
  expect(hints()).toEqual(["", "", ""]);
  await press("1");
  const values = () => Object.values(form.getState().fields)[0]?.values;
  expect(values()).toEqual(["Size", "Speed", "Price"]);
  const { form: other, stage: second, id: otherId } = await opened({ questions: [ranks] });
  await shown(second, createElement(AnswerPane, { session: await second.view(otherId) }));
  await press("r");
  expect(Object.values(other.getState().fields)[0]?.values).toEqual(["Speed", "Price"]);
});

test("skipping a question of a set goes on to the next, and eight digits are a date", async () => {
  const { stage, form, id } = await opened({
    questions: [
      { ...why, id: "why", required: false },
      { type: "date", id: "day", question: "When?" },
    ],
  });
  await shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  await act(async () => void fireEvent.keyDown(document.body, { key: "s", altKey: true }));
  expect(form.getState()).toMatchObject({ step: 1, fields: { why: { skipped: true } } });
  form.setText("day", "20261130");
  expect(form.getState().fields["day"]?.values).toEqual(["2026-11-30"]);
});

test("too many choices are counted while they are made", async () => {
  const { stage, form, id } = await opened({ questions: [{ ...many, id: "many", options: ["a", "b", "c"], maxChoices: 2 }] });
  const pane = await shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  await act(async () => ["a", "b", "c"].forEach((value) => form.choose("many", value)));
  expect(pane.querySelector(".expected[data-over]")?.textContent).toBe("3 of at most 2");
});

test("what was asked back from this page is the person's own, and what another device asked says where", async () => {
  const { stage, id } = await opened({ questions: [fruit] });
  const pane = await shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  await act(async () => click("Ask the agent")(pane));
  const field = find(".thread-ask textarea")(pane) as HTMLTextAreaElement;
  await act(async () => void fireEvent.change(field, { target: { value: "Why not a pear?" } }));
  await act(async () => void fireEvent.keyDown(field, { key: "Enter" }));
  const after = await stage.view(id);
  const said = await shown(stage, createElement(Messages, { session: after, thread: after.thread ?? [] }));
  expect(said.querySelector(".thread-by strong")?.textContent).toBe("You asked");
  const other = await createStage();
  const elsewhere = shown(other, createElement(Messages, { session: after, thread: after.thread ?? [] }));
  expect(elsewhere.querySelector(".thread-by strong")?.textContent).toMatch(/^Asked /);
});
