import type { AskInput } from "@askbox/core";
import { act } from "@testing-library/react";
import { createElement } from "react";
import { expect, test } from "vitest";
import { setLastSnooze } from "../src/inbox/last-snooze.ts";
import { Answers } from "../src/session/outcome.tsx";
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

const lint: AskInput = {
  title: "Lint",
  questions: [
    { id: "run", type: "approval", question: "May I?", action: { kind: "command", command: "pnpm lint src" }, grants: ["project"] },
  ],
};

test.each([
  ["a denial with a reason", { values: ["deny"], customText: "not now" }, "Deny: not now"],
  ["a grant by its first words", { values: ["project:1h:pnpm lint"] }, "any command that begins with “pnpm lint”"],
])("%s is shown with its question first, and with nothing replaced", async (_, answer, words) => {
  const { stage, id, form } = await opened(lint);
  const set = { answers: [{ questionId: "run", ...answer }] };
  await act(async () => {
    form.choose("run", answer.values[0] ?? "");
    if ("customText" in answer) form.setOtherText("run", answer.customText ?? "");
    await form.submit({ delay: 5_000 });
    noteSent(stage.askbox, id);
  });
  const toast = shown(stage, createElement(Toasts, { openId: undefined })).querySelector("[data-testid=toast]")?.textContent;
  const answers = shown(stage, createElement(Answers, { session: await stage.view(id), ...set })).textContent;
  for (const text of [toast, answers]) {
    expect(text).toContain(words);
    expect(text).not.toContain("\uFFFD");
  }
  expect(toast).toMatch(/^.?pnpm lint src/);
});
