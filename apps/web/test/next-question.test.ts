import { act } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { navigate, sessionPath } from "../src/router/router.tsx";
import { changeSettings } from "../src/stored-settings.ts";
import { cleansUp, click, look, pageAt, passes, path, press } from "./page.ts";

cleansUp();
afterEach(() => changeSettings({ undoSeconds: 5, sendOnPick: false, opensNext: true }));

const sure = { id: "sure", question: "Delete it?", type: "confirm" as const };

test("after an answer is sent the next question opens, if enabled; u undoes the previous one, and its failure is reported", async () => {
  changeSettings({ undoSeconds: 60, sendOnPick: true });
  const stage = await createStage();
  const questions = [{ id: "fruit", question: "Which fruit?", type: "select" as const, options: ["Apple", "Pear"] }];
  const next = await stage.ask({ title: "The next one", timeout: 300_000, questions });
  const { id } = await stage.ask({ title: "The first one", timeout: 600_000, questions: [sure] });
  const page = pageAt(stage, sessionPath(id));
  const toast = () => page.querySelector("[data-testid=toast]")?.textContent?.replace(/[\u2068\u2069]/g, "");
  const yes = () => page.querySelector<HTMLInputElement>("[data-question=sure] input");
  const scheduled = async (of: string) => (await stage.view(of)).scheduled;
  await expect.poll(yes).not.toBeNull();
  await press("y");
  await expect.poll(path).toBe(sessionPath(next.id));
  await expect.poll(toast).toContain("The first one");
  await press("u");
  await expect.poll(path).toBe(sessionPath(id));
  await expect.poll(() => yes()?.checked).toBe(true);
  expect(await stage.view(id)).toMatchObject({ status: "pending" });
  expect(await scheduled(id)).toBeUndefined();
  await expect.poll(toast).toBeUndefined();

  await press("Enter");
  await expect.poll(path).toBe(sessionPath(next.id));
  // It is recalled from the terminal, and answered differently.
  const terminal = stage.broker.desk({ surface: "terminal", name: "Ada" });
  await act(async () => {
    await terminal.recall(id);
    await terminal.answer(id, { answers: [{ questionId: "sure", values: ["no"] }] });
  });
  await expect.poll(toast).toMatch(/Answered by Ada in the terminal/);
  await click(page.querySelector("[data-testid=toast] a"));
  await expect.poll(() => page.querySelector("[data-testid=outcome]")).not.toBeNull();

  act(() => navigate("/settings"));
  const field = () => [...page.querySelectorAll("label")].find(({ textContent }) => textContent?.startsWith("Open the next question"));
  await expect.poll(field).toBeDefined();
  await click(field()?.querySelector("input"));
  act(() => navigate("/"));
  const last = await act(() => stage.ask({ title: "The last one", questions: [sure] }));
  await click(page.querySelector(`[data-session="${last.id}"]`));
  await expect.poll(() => yes()?.disabled).toBe(false);
  await passes(stage, look);
  await press("y");
  await expect.poll(() => scheduled(last.id)).toBeDefined();
  await expect.poll(() => page.querySelector("[data-testid=undo]")).not.toBeNull();
  expect(path()).toBe(sessionPath(last.id));
});

test("a reply to a question that isn't open is a toast, not a new question", async () => {
  const stage = await createStage();
  const { id } = await stage.ask({ title: "A new module", questions: [sure] });
  const page = pageAt(stage);
  const said = () => page.querySelector("[data-testid=arrivals]")?.textContent;
  await expect.poll(said).toBeDefined();
  await act(() => stage.ask({ title: "Another", questions: [sure] }));
  await expect.poll(said).toBe("New question: Another");
  await act(async () => {
    await stage.broker.desk({ surface: "cli" }).askBack(id, { text: "Why?" });
    await stage.broker.asker("agents").resume(id, { reply: "Because.", maxWait: 0 });
  });
  const toast = () => page.querySelector("[data-testid=toast]");
  await expect.poll(() => toast()?.textContent).toMatch(/replied: .+Open$/);
  expect(said()).toBe("New question: Another");
  await click(toast()?.querySelector("a"));
  await expect.poll(() => page.querySelector("[data-testid=thread]")?.textContent).toContain("Because.");
  await expect.poll(toast).toBeNull();
});
