import type { AskInput } from "@askbox/core";
import { act } from "@testing-library/react";
import { createElement, Fragment } from "react";
import { expect, test } from "vitest";
import { createStage, type Stage } from "../gallery/stage.ts";
import { setLastSnooze } from "../src/inbox/last-snooze.ts";
import { useDeclines } from "../src/inbox/use-declines.ts";
import { Answers } from "../src/session/outcome.tsx";
import { noteReply, noteSent } from "../src/session/sent.ts";
import { Toasts } from "../src/session/toasts.tsx";
import { button, cleansUp, click, opened, passes, shown } from "./page.ts";

cleansUp();

const isolates = /[\u2068\u2069]/g;

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
  ["a denial with a reason", { values: ["deny"], customText: "not now" }, "Denied: ", "not now"],
  [
    "a grant by its first words",
    { values: ["project:1h:pnpm lint"] },
    "Allowed for 1 hour: ",
    "in this project, any command that begins with “pnpm lint”",
  ],
])("%s is shown with its outcome first, then its question, and with nothing replaced", async (_, answer, done, words) => {
  const { stage, id, form } = await opened(lint);
  const set = { answers: [{ questionId: "run", ...answer }] };
  await act(async () => {
    form.choose("run", answer.values[0] ?? "");
    if ("customText" in answer) form.setOtherText("run", answer.customText ?? "");
    await form.submit({ delay: 5_000 });
    noteSent(stage.askbox, id);
  });
  const toast = shown(stage, createElement(Toasts, { openId: undefined })).querySelector(".toast-text")?.textContent;
  const answers = shown(stage, createElement(Answers, { session: await stage.view(id), ...set })).querySelector(
    ".answer-text",
  )?.textContent;
  expect(toast?.replace(isolates, "")).toBe(`${done}${words} · pnpm lint src`);
  // Its ending stands above it.
  expect(answers).toBe(done === "Denied: " ? `Reason: ${words}` : words);
});

/** Answers a question with Yes, with time to undo. */
async function answers(stage: Stage, title: string) {
  const { id, form } = await opened({ title, questions: [{ id: "sure", type: "confirm", question: "Sure?" }] }, stage);
  await act(async () => {
    form.choose("sure", "yes");
    await form.submit({ delay: 5_000 });
    noteSent(stage.askbox, id);
  });
  return { id, form };
}

test("of several quick answers one toast is shown, the latest, with the number of those before it; none comes up again when its time is over", async () => {
  const stage = await createStage();
  const page = shown(stage, createElement(Toasts, { openId: undefined }));
  const said = () => [...page.querySelectorAll("[data-testid=toast]")].map((toast) => toast.textContent?.replace(isolates, ""));
  for (let index = 1; index <= 20; index += 1) await answers(stage, `Module ${index}`);
  expect(said()).toEqual([expect.stringMatching(/^Sent “Yes” · Module 20Undo.*19 more/)]);
  await passes(stage, 1_000);
  await answers(stage, "The last one");
  await passes(stage, 4_000);
  // Only the last one can be undone now.
  expect(said()).toEqual([expect.stringMatching(/^Sent “Yes” · The last oneUndou$/)]);
  await passes(stage, 5_000);
  expect(said()).toEqual([]);
  await passes(stage, 60_000);
  expect(said()).toEqual([]);
});

test("whatever was done last is shown and undone: a decline, then an answer, then a snooze", async () => {
  const stage = await createStage();
  const { id: first } = await opened({ title: "First", questions: [{ id: "sure", type: "confirm", question: "Sure?" }] }, stage);
  function Page() {
    const { decline } = useDeclines();
    return createElement(
      Fragment,
      {},
      createElement(Toasts, { openId: undefined }),
      createElement("button", { type: "button", onClick: () => decline([first], "") }),
    );
  }
  const page = shown(stage, createElement(Page));
  const said = () => page.querySelector(".toast-text")?.textContent?.replace(isolates, "");
  await click(page.querySelector("button"));
  await passes(stage, 0);
  expect(said()).toBe("Declined · First");
  const { id } = await answers(stage, "Second");
  expect(said()).toBe("Sent “Yes” · Second");
  act(() =>
    setLastSnooze(stage.askbox, { ids: [first], until: stage.clock.now() + 600_000, undo: () => setLastSnooze(stage.askbox, undefined) }),
  );
  expect(said()).toMatch(/^Snoozed until .+ · First$/);
  const undo = () => click(button(page, "Undo"));
  await undo();
  expect(said()).toBe("Sent “Yes” · Second");
  await undo();
  await passes(stage, 0);
  expect((await stage.view(id)).scheduled).toBeUndefined();
  expect(said()).toBe("Declined · First");
  await undo();
  await passes(stage, 0);
  expect(said()).toBeUndefined();
});
