import { act } from "@testing-library/react";
import { createElement } from "react";
import { expect, test } from "vitest";
import { setLastSnooze } from "../src/inbox/last-snooze.ts";
import { noteReply, noteSent } from "../src/session/sent.ts";
import { Toasts } from "../src/session/toasts.tsx";
import { cleansUp, opened, passes, shown } from "./page.ts";

cleansUp();

async function toasts() {
  const { stage, id, form } = await opened({ title: "A module", questions: [{ id: "sure", type: "confirm", question: "Sure?" }] });
  const page = shown(stage, createElement(Toasts, { openId: undefined }));
  return { stage, id, form, after: (ms: number) => passes(stage, ms), said: () => page.querySelector("[data-testid=toast]")?.textContent };
}

test("a sent answer is announced for 4 s from when it can't be undone", async () => {
  const { stage, id, form, after, said } = await toasts();
  await act(async () => {
    form.choose("sure", "yes");
    await form.submit({ delay: 5_000 });
    noteSent(stage.askbox, id);
  });
  await after(4_999);
  expect(said()).toMatch(/Undo/);
  await after(1);
  expect(said()).not.toMatch(/Undo/);
  await after(3_999);
  expect(said()).toContain("A module");
  await after(1);
  expect(said()).toBeUndefined();
});

test("a snooze can be undone for 10 s", async () => {
  const { stage, id, after, said } = await toasts();
  const snooze = () => setLastSnooze(stage.askbox, { ids: [id], until: stage.clock.now() + 600_000, undo() {} });
  act(snooze);
  await after(9_999);
  expect(said()).toMatch(/Undo/);
  // Another one starts its own time.
  act(snooze);
  await after(9_999);
  expect(said()).toMatch(/Undo/);
  await after(1);
  expect(said()).toBeUndefined();
});

test("an agent's reply is announced for 10 s", async () => {
  const { stage, id, after, said } = await toasts();
  act(() => noteReply(stage.askbox, id));
  await after(9_999);
  expect(said()).toContain("A module");
  await after(1);
  expect(said()).toBeUndefined();
});
