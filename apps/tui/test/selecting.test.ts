import { stripVTControlCharacters } from "node:util";
import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { aScreen, size } from "./support/screen.ts";

const sure: Question = { id: "sure", type: "confirm", question: "Sure?", required: true };

/** Three questions in the list, the first and the last of them selected. */
async function selected() {
  const screen = await aScreen({ request: { questions: [sure], timeout: 600_000 }, undoDelay: 5_000 });
  const { app, ask, settle, frame, desk, id } = screen;
  const second = (await ask("second matter", { questions: [sure], timeout: 1_200_000 })).session.id;
  const third = (await ask("third matter", { questions: [sure], timeout: 1_800_000 })).session.id;
  await settle();
  const text = () => stripVTControlCharacters(frame.at(size).lines.join("\n"));
  const press = async (...keys: string[]) => {
    for (const name of keys) {
      text();
      app.handleKey({ name, ...([...name].length === 1 ? { text: name } : {}) });
      await settle();
    }
    return text();
  };
  await press("escape", "x", "j", "x");
  const statuses = async () => Promise.all([id, second, third].map(async (each) => (await desk.get(each)).status));
  return { ...screen, press, text, statuses, second, third };
}

test("selected questions are declined together, with one reason, and back together when that is undone", async () => {
  const { app, press, clock, settle, statuses, desk, id, second, third } = await selected();
  expect(await press()).toMatch(/2 selected[\s\S]*\[x\] first matter[\s\S]*\[ \] second matter[\s\S]*\[x\] third matter/);
  expect(await press("d")).toContain("Decline 2 questions?");
  await press(..."Later", "enter");
  expect(app.ui.notice?.text).toBe("Declined · 2 questions. u undoes it.");
  expect(app.ui).toMatchObject({ focus: "list", selected: second, selection: [] });
  await press("u");
  expect(app.ui).toMatchObject({ focus: "list", selected: id, held: [] });
  await clock.advance(10_000);
  expect(await statuses()).toEqual(["pending", "pending", "pending"]);
  await press("g", "x", "j", "x", "d", "enter");
  await clock.advance(5_000);
  await settle();
  expect(await statuses()).toEqual(["cancelled", "pending", "cancelled"]);
  for (const each of [id, third]) expect((await desk.get(each)).outcome).toMatchObject({ reason: "Later" });
});

test("selected questions are snoozed together, and woken together", async () => {
  const { app, press, desk, id, second, third } = await selected();
  expect(await press("z")).toContain("Snooze 2 questions");
  await press("1");
  const snoozed = async () => Promise.all([id, second, third].map(async (each) => (await desk.get(each)).snoozedUntil !== undefined));
  expect(await snoozed()).toEqual([true, false, true]);
  expect(app.ui).toMatchObject({ selected: second, selection: [] });
  await press("u");
  expect(await snoozed()).toEqual([false, false, false]);
});

test("Esc selects none", async () => {
  const { app, press } = await selected();
  expect(await press()).toContain("x select  z snooze 2  d decline 2  esc select none");
  await press("escape");
  expect(app.ui.selection).toEqual([]);
});
