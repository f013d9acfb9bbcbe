import { stripVTControlCharacters } from "node:util";
import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { aScreen } from "./support/screen.ts";

const review: Question = {
  id: "review",
  type: "review",
  question: "Is this right?",
  required: true,
  document: Array.from({ length: 140 }, (_, at) => `row ${at + 1} of it`).join("\n"),
};

/** A review of 140 lines, opened; `press` returns what is shown after the keys. */
async function opened(size: { columns: number; rows: number }) {
  const screen = await aScreen({ request: { questions: [review] } });
  const { app, settle, frame } = screen;
  const shown = () => stripVTControlCharacters(frame.at({ ...size, plain: false }).lines.join("\n"));
  shown();
  const press = async (...keys: string[]) => {
    for (const name of keys) {
      app.handleKey({ name });
      await settle();
      shown();
    }
    return shown();
  };
  return { ...screen, press };
}

test.each([
  [80, 24],
  [40, 12],
  [120, 40],
])("a review opens at its top, and the arrows read it before they go to the verdicts, at %i×%i", async (columns, rows) => {
  const { press } = await opened({ columns, rows });
  expect(await press()).toContain("row 1 of it");
  for (const key of ["up", "enter"]) {
    const shown = await press(key);
    expect(shown).toContain("Is this right?");
    expect(shown).not.toContain("› ( ) 1 Approve");
  }
  const further = await press("down", "down", "down", "down");
  expect(further).not.toContain("Is this right?");
  expect(further).toContain("row 5 of it");
  expect(await press("up", "up", "up", "up")).toContain("Is this right?");
});

test.each([
  [80, 24, "( ) 1 Approve  ( ) 2 Approve with comments  ( ) 3 Request changes"],
  [40, 12, "1 Approve  2 Approve wit…  3 Request ch…"],
])(
  "the verdicts stay below the document until they are reached, and a digit picks one where it is read, at %i×%i",
  async (columns, rows, row) => {
    const { press } = await opened({ columns, rows });
    const lines = (await press("down", "down")).split("\n");
    expect(lines.at(-2)?.trim()).toBe(row);
    const picked = await press("3");
    expect(picked).toMatch(/\(•\) 3 Req/);
    expect(picked).toContain("row 3 of it");
    expect((await press("end")).split("3 Req")).toHaveLength(2);
  },
);

test("Enter sends the verdict that is picked, also when the review is opened again", async () => {
  const { press, app, desk, id } = await opened({ columns: 80, rows: 24 });
  expect(await press("enter")).toContain("Nothing is picked yet; its digit picks a verdict.");
  expect(await press("2", "escape", "enter")).toContain("enter send");
  await press("enter");
  expect(app.ui.focus).toBe("list");
  expect((await desk.get(id)).outcome).toMatchObject({ answers: [{ values: ["approve"] }] });
});

test("at the verdicts the arrows move the cursor", async () => {
  const { press } = await opened({ columns: 80, rows: 24 });
  expect(await press("end")).toContain("› ( ) 1 Approve");
  expect(await press("down")).toContain("› ( ) 2 Approve with comments");
  expect(await press("up")).toContain("› ( ) 1 Approve");
});
