import { AskboxContext } from "@askbox/react";
import { act, renderHook } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import { createStage, type Stage } from "../gallery/stage.ts";
import { useDeclines } from "../src/inbox/use-declines.ts";
import { sessionPath } from "../src/router/router.tsx";
import { changeSettings } from "../src/stored-settings.ts";
import { button, cleansUp, pageAt, passes, press } from "./page.ts";

cleansUp();
afterEach(() => changeSettings({ undoSeconds: 5 }));

const sure = { id: "sure", question: "Delete it?", type: "confirm" as const };
const asks = (stage: Stage, title: string) => act(() => stage.ask({ title, questions: [sure] }));

function declinesOf(stage: Stage) {
  const wrapper = ({ children }: { children: ReactNode }) => createElement(AskboxContext, { value: stage.askbox }, children);
  return renderHook(() => useDeclines(), { wrapper });
}

test("what is declined together leaves the list at once, is held by the hub, and is undone together", async () => {
  const stage = await createStage();
  const ids = [(await asks(stage, "One")).id, (await asks(stage, "Two")).id];
  const { result } = declinesOf(stage);
  act(() => result.current.decline(ids, "not today"));
  expect([result.current.waiting, [...result.current.hidden]]).toEqual([ids, ids]);
  await passes(stage, 0);
  for (const id of ids) expect((await stage.view(id)).scheduled).toMatchObject({ decline: { reason: "not today" } });
  expect([result.current.waiting, [...result.current.hidden]]).toEqual([ids, ids]);
  act(() => result.current.undo());
  await passes(stage, 10_000);
  expect([result.current.waiting, [...result.current.hidden]]).toEqual([[], []]);
  for (const id of ids) {
    const { status, scheduled } = await stage.view(id);
    expect([status, scheduled]).toEqual(["pending", undefined]);
  }
});

test("a decline that is undone before the hub has taken it is undone as soon as it has", async () => {
  const stage = await createStage();
  const { id } = await asks(stage, "One");
  const { result } = declinesOf(stage);
  act(() => {
    result.current.decline([id], "");
    result.current.undo();
  });
  await passes(stage, 10_000);
  expect([result.current.waiting, [...result.current.hidden]]).toEqual([[], []]);
  expect((await stage.view(id)).status).toBe("pending");
});

test("a decline outlives its page, and is undone on another, which says how long that is possible", async () => {
  changeSettings({ undoSeconds: 60 });
  const stage = await createStage();
  const { id } = await asks(stage, "One");
  const { result, unmount } = declinesOf(stage);
  act(() => result.current.decline([id], "not today"));
  await passes(stage, 0);
  unmount();
  expect((await stage.view(id)).status).toBe("pending");
  const page = pageAt(stage, sessionPath(id));
  await expect.poll(() => page.querySelector(".actions-note")?.textContent).toMatch(/^Declines in/);
  await press("u");
  await expect.poll(() => button(page, "Decline")).toBeDefined();
  await passes(stage, 60_000);
  expect((await stage.view(id)).status).toBe("pending");
});

test("without time to undo a question is declined at once, and one that the hub refuses to decline is back, with the reason", async () => {
  changeSettings({ undoSeconds: 0 });
  const stage = await createStage();
  const { id } = await asks(stage, "One");
  const { result } = declinesOf(stage);
  stage.askbox.desk.cancel = () => Promise.reject(new Error("The hub is full."));
  act(() => result.current.decline([id], ""));
  expect(result.current.waiting).toEqual([]);
  await passes(stage, 0);
  expect([[...result.current.hidden], result.current.failure]).toEqual([[], expect.stringContaining("The hub is full.")]);
});
