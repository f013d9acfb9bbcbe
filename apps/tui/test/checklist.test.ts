import { describe, expect, test } from "vitest";
import { type Checklist, checklistFrame, openChecklist, pressChecklist } from "../src/checklist/run-checklist.ts";
import { rowWidth } from "../src/text/row.ts";

const list: Checklist = {
  title: "askbox setup",
  intro: "These clients are on this machine.",
  choices: [
    { id: "ready", label: "Ready", isFixed: true, note: "set up: ~/.ready" },
    { id: "one", label: "One" },
    { id: "two", label: "Two" },
  ],
  selected: ["one", "two"],
  preview: (selected, whole) =>
    [...selected].flatMap((id) => Array.from({ length: whole ? 30 : 1 }, (_, line) => ({ indent: 2, spans: [{ text: `${id} ${line}` }] }))),
  confirm: (selected) => (selected.size === 0 ? undefined : `set up ${selected.size}`),
};

/** Presses keys and returns the state, the last effect, and the screen as text. */
function pressed(names: readonly string[], { columns = 80, rows = 24 } = {}) {
  let state = openChecklist(list);
  let frame = checklistFrame(list, state, { columns, rows, plain: false }, 0);
  let effect: unknown;
  for (const name of names) {
    const step = pressChecklist(list, state, { name }, frame.view);
    ({ state } = step);
    effect = step.effect;
    frame = checklistFrame(list, state, { columns, rows, plain: false }, frame.view.top);
  }
  const text = frame.rows.map((row) => row.map((span) => span.text).join(""));
  return { state, effect, rows: frame.rows, text, selected: [...state.selected] };
}

describe("a checklist", () => {
  test("begins at the first choice that can be changed, with what is proposed", () => {
    const { text, selected } = pressed([]);
    expect(selected).toEqual(["one", "two"]);
    expect(text.filter((row) => row.startsWith("›"))).toEqual(["› [x] One  "]);
    expect(text.join("\n")).toContain("set up: ~/.ready");
    expect(text.at(-1)).toMatch(/^enter set up 2 {2}space select {2}q leave/);
  });

  test.each([
    ["space takes a choice out and puts it back", ["space"], ["two"]],
    ["space on a choice that is fixed does nothing", ["up", "space"], ["one", "two"]],
    ["the ends hold", ["up", "up", "up", "down", "down", "down", "down", "space"], ["one"]],
    ["a takes all, or none", ["a"], []],
    ["a takes all if one is missing", ["space", "a"], ["one", "two"]],
  ])("%s", (_what, names, selected) => {
    expect(pressed(names).selected.toSorted()).toEqual(selected);
  });

  test("is confirmed by Enter alone, and only if there is something to do", () => {
    for (const name of ["space", "y", "x", "1", "right", "tab"]) expect(pressed([name]).effect).toBeUndefined();
    expect(pressed(["enter"]).effect).toBe("confirm");
    expect(pressed(["a", "enter"]).effect).toBeUndefined();
    expect(pressed(["a"]).text.at(-1)).not.toContain("enter");
    for (const name of ["q", "escape", "ctrl+c"]) expect(pressed([name]).effect).toBe("leave");
  });

  test.each([
    { columns: 80, rows: 24 },
    { columns: 40, rows: 12 },
    { columns: 40, rows: 4 },
  ])("fits $columns × $rows, scrolls, and goes back to the choice with its keys", (size) => {
    const scrolled = pressed(["d", "end"], size);
    expect(scrolled.rows).toHaveLength(size.rows);
    for (const row of scrolled.rows) expect(rowWidth(row)).toBeLessThanOrEqual(size.columns);
    expect(scrolled.text.at(-2)).toBe("    two 29");
    expect(pressed(["d", "end", "pageup"], size).text).not.toContain("    two 29");
    const back = pressed(["d", "end", "down"], size).text;
    expect(back.some((row) => row.startsWith("› [x] Two"))).toBe(true);
  });
});
