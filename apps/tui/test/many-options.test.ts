import { stripVTControlCharacters } from "node:util";
import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { aScreen } from "./support/screen.ts";

const cities = Array.from({ length: 14 }, (_, index) => `city ${index + 1}`);

async function opened(question: Partial<Question> & { type: string }) {
  const screen = await aScreen({
    request: {
      questions: [
        {
          id: "where",
          question: "Where?",
          required: true,
          options: cities.map((label) => ({ label, value: label })),
          ...question,
        } as Question,
      ],
    },
  });
  const shown = (columns = 80) => screen.frame.at({ columns, rows: 24, plain: false }).lines.map((row) => stripVTControlCharacters(row));
  const press = async (name: string) => {
    shown();
    screen.app.handleKey({ name });
    await screen.settle();
  };
  const values = () => screen.app.form()?.getState().fields["where"]?.values;
  return { ...screen, shown, press, values };
}

test("Alt with a digit picks the eleventh option and later ones, as its row and the footer say", async () => {
  const { shown, press, values } = await opened({ type: "select", allowOther: false });
  const rows = shown();
  expect(rows.find((row) => row.includes("city 9"))).toContain("( ) 9     city 9");
  expect(rows.find((row) => row.includes("city 11"))).toContain("( ) alt+1 city 11");
  expect(rows.at(-1)).toContain("1–9 pick  alt+1–9 pick from 11");
  await press("alt+4");
  expect(values()).toEqual(["city 14"]);
  await press("alt+5");
  expect(values()).toEqual(["city 14"]);
});

test("in a ranking, Alt with a digit gives the rank of the eleventh and later ones", async () => {
  const { press, values } = await opened({ type: "ranking" });
  await press("alt+2");
  expect(values()?.slice(10, 13)).toEqual(["city 12", "city 1", "city 13"]);
});

test("ten options are as narrow as before", async () => {
  const { shown } = await opened({
    type: "select",
    allowOther: false,
    options: cities.slice(0, 10).map((label) => ({ label, value: label })),
  } as never);
  expect(shown().find((row) => row.includes("city 10"))).toContain("( ) 0 city 10");
  expect(shown().at(-1)).not.toContain("alt+1");
});
