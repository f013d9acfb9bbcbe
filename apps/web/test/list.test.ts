import { parseAsk } from "@askbox/core";
import { seededIds } from "@askbox/core/testing";
import { act, fireEvent } from "@testing-library/react";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { button, cleansUp, click, fill, pageAt, passes, path, press } from "./page.ts";

cleansUp();

const sure = (title: string, timeout = 600_000) => ({ title, timeout, questions: [{ question: "Sure?", type: "confirm" as const }] });

test("the search opens the first hit with Enter, or the one selected with the arrows, and is cleared by Escape or its button; the counts follow", async () => {
  const stage = await createStage();
  const ids: string[] = [];
  for (const [title, minutes] of [
    ["Rename the table", 10],
    ["Drop the table", 20],
    ["Paint the shed", 5],
  ] as const) {
    ids.push((await stage.ask(sure(title, minutes * 60_000))).id);
  }
  const page = pageAt(stage);
  const titles = () => [...page.querySelectorAll(".row-title")].map(({ textContent }) => textContent);
  // The nearest deadline first.
  await expect.poll(titles).toEqual(["Paint the shed", "Rename the table", "Drop the table"]);
  const search = () => page.querySelector<HTMLInputElement>("input[type=search]");
  const found = () => page.querySelector(".list-found")?.textContent;
  const isOpen = async (id: string | undefined) => {
    await expect.poll(path).toBe(`/s/${id}`);
    await expect.poll(() => document.activeElement?.closest(".session")).not.toBeNull();
  };
  await press("/");
  expect(document.activeElement).toBe(search());
  await fill(search(), "table");
  await expect.poll(found).toMatch(/^2 of 3/);
  await press("Enter");
  await isOpen(ids[0]);
  await press("Escape");
  await expect.poll(path).toBe("/");
  await press("/", "ArrowDown", "ArrowDown");
  await click(document.activeElement);
  await isOpen(ids[1]);

  await press("Escape");
  await fill(search(), "drop");
  await expect.poll(found).toMatch(/^1 of 3/);
  act(() => search()?.focus());
  await press("Escape");
  expect(search()?.value).toBe("drop");
  expect(document.activeElement).not.toBe(search());
  await press("Escape");
  expect(search()?.value).toBe("");
  await expect.poll(() => titles().length).toBe(3);
  await fill(search(), "no such thing");
  await expect.poll(found).toMatch(/^0 of 3/);
  await click(button(page, "Clear the search"));
  await expect.poll(() => titles().length).toBe(3);
  expect(found()).toBe("");
});

test("sessions whose agent has left are shown if there are no others, and otherwise folded", async () => {
  const stage = await createStage();
  const agents = stage.broker.asker("agents");
  const left = parseAsk(sure("Left alone"), { ids: seededIds() });
  const { session } = await agents.ask(left, { asker: { client: { name: "claude-code" } }, maxWait: 0, earlier: false });
  await agents.resume(session.id, { earlier: false, signal: AbortSignal.abort() }).catch(() => {});
  const page = pageAt(stage);
  const titles = () => [...page.querySelectorAll(".row-title")].map(({ textContent }) => textContent);
  const fold = () => button(page, "Agent left (1)");
  await expect.poll(titles).toEqual(["Left alone"]);
  await act(() => stage.clock.advance(130_000));
  await expect.poll(fold).toBeDefined();
  expect(titles()).toEqual(["Left alone"]);
  await act(() => stage.ask(sure("Somebody waits")));
  await expect.poll(titles).toEqual(["Somebody waits", "Left alone"]);

  const reloaded = pageAt(stage);
  await expect.poll(() => reloaded.querySelectorAll(".row-title").length).toBe(1);
  expect(button(reloaded, "Agent left (1)")?.querySelector("svg")).not.toBeNull();
  await click(button(reloaded, "Agent left (1)"));
  await expect.poll(() => reloaded.textContent).toContain("Left alone");
});

test("one cursor: the first row has it at once, keys move it and the pointer doesn't; it goes to the row that takes its row's place, and back when that is undone", async () => {
  const stage = await createStage();
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) ids.push((await stage.ask(sure(`Question ${index}`, 600_000 + index * 1_000))).id);
  const page = pageAt(stage);
  const focused = () => ids.indexOf(document.activeElement?.getAttribute("data-session") ?? "");
  const previewed = () => ids.indexOf(page.querySelector("[data-peek]")?.getAttribute("data-peek") ?? "");
  const isAt = async (index: number) => {
    await expect.poll(() => [focused(), previewed()]).toEqual([index, index]);
    await passes(stage, 0);
    expect([focused(), previewed(), page.querySelectorAll("[data-peeked]").length]).toEqual([index, index, 1]);
  };
  const row = (index: number) => page.querySelector<HTMLElement>(`[data-session="${ids[index]}"]`);
  await isAt(0);
  await press("j");
  await isAt(1);
  act(() => void fireEvent.pointerMove(row(3) as Element, { pointerType: "mouse", clientX: 5, clientY: 5 }));
  await isAt(1);
  for (const [key, index] of [
    ["End", 4],
    ["Home", 0],
    ["ArrowDown", 1],
    ["k", 0],
    ["k", 0],
  ] as const) {
    await press(key);
    await isAt(index);
  }
  act(() => void fireEvent.keyDown(document.activeElement as Element, { key: "G", shiftKey: true }));
  await isAt(4);
  await press("j");
  await isAt(4);
  await press("g");
  await isAt(0);

  await press("j", "j", "d");
  await expect.poll(() => page.querySelector("dialog h2")?.textContent).toContain("Question 2");
  expect(previewed()).toBe(2);
  await click(button(page, "Keep it"));
  await isAt(2);
  await press("d");
  act(() => page.querySelector<HTMLElement>("dialog textarea")?.focus());
  await press("Enter");
  await expect.poll(() => row(2)).toBeNull();
  await isAt(3);
  await press("u");
  await expect.poll(() => row(2)).not.toBeNull();
  await isAt(2);
  await press("End", "z");
  await expect.poll(() => button(page, "For 5 min")).toBeDefined();
  await click(button(page, "For 5 min"));
  await expect.poll(() => row(4)).toBeNull();
  await isAt(3);
  await press("u");
  await isAt(4);

  // What an agent takes back, and what arrives above, moves it to no other question.
  await press("g", "j");
  await act(() => stage.ask(sure("The soonest", 300_000)));
  await isAt(1);
  await act(() => stage.askbox.desk.cancel(ids[0] ?? ""));
  await isAt(1);
  await click(document.activeElement);
  await expect.poll(path).toBe(`/s/${ids[1]}`);
  await press("Escape");
  await expect.poll(path).toBe("/");
  await isAt(1);
});

test("Shift with j, k or an arrow extends the selection and takes it back; the dialog about several closes to the cursor's row", async () => {
  const stage = await createStage();
  for (let index = 0; index < 4; index += 1) await stage.ask(sure(`Question ${index}`, 600_000 + index * 1_000));
  const page = pageAt(stage);
  await expect.poll(() => page.querySelectorAll(".row").length).toBe(4);
  const selected = () => [...page.querySelectorAll("[data-selected] .row-title")].map(({ textContent }) => textContent?.at(-1)).join("");
  const shift = (key: string) => act(() => void fireEvent.keyDown(document.activeElement as Element, { key, shiftKey: true }));
  for (const [key, now] of [
    ["J", "01"],
    ["ArrowDown", "012"],
    ["J", "0123"],
    ["K", "012"],
    ["ArrowUp", "01"],
  ] as const) {
    shift(key);
    expect(selected()).toBe(now);
  }
  await press("d");
  await expect.poll(() => page.querySelector("dialog h2")?.textContent).toBe("Decline 2 questions?");
  await click(button(page, "Keep them"));
  expect(document.activeElement?.textContent).toContain("Question 1");
  expect(page.querySelector(".peek")?.textContent).toContain("Question 1");
  await press("Escape");
  expect(selected()).toBe("");
});

test("no row moves under a pressed pointer, and the counts are those of the rows while something can be undone", async () => {
  const stage = await createStage();
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) ids.push((await stage.ask(sure(`Question ${index}`, 600_000 + index * 1_000))).id);
  const page = pageAt(stage);
  const counts = () => [page.querySelectorAll(".row").length, Number(page.querySelector(".count")?.textContent), document.title];
  await expect.poll(counts).toEqual([4, 4, "(4) askbox"]);
  const last = page.querySelector(`[data-session="${ids[3]}"]`) as Element;
  act(() => void fireEvent.pointerDown(last));
  await act(() => stage.askbox.desk.cancel(ids[0] ?? ""));
  expect(page.querySelectorAll(".row").length).toBe(4);
  act(() => void fireEvent.pointerUp(last));
  await passes(stage, 0);
  await expect.poll(counts).toEqual([3, 3, "(3) askbox"]);
  await press("d");
  await expect.poll(() => page.querySelector("dialog textarea")).not.toBeNull();
  act(() => page.querySelector<HTMLElement>("dialog textarea")?.focus());
  await press("Enter");
  await expect.poll(counts).toEqual([2, 2, "(2) askbox"]);
  await press("u");
  await expect.poll(counts).toEqual([3, 3, "(3) askbox"]);
});

test("the line below the list has the keys for what is going on", async () => {
  const stage = await createStage();
  const { id } = await stage.ask(sure("Question"));
  const page = pageAt(stage);
  const keys = () => page.querySelector(".list-keys")?.textContent;
  await expect.poll(keys).toBe("Enter openz laterx select? all keys");
  await press("x");
  await expect.poll(keys).toBe("x selectShift j select moreEsc done");
  await press("Escape", "/");
  await expect.poll(keys).toBe("Enter openEsc done");
  await press("Escape");
  await click(page.querySelector(`[data-session="${id}"]`));
  await expect.poll(keys).toBe("j nextk previousEsc to the list");
});

test("a decline names its question and shows it, and keeps the reason that was typed", async () => {
  const stage = await createStage();
  await stage.ask(sure("Paint the shed", 300_000));
  const { id } = await stage.ask(sure("Drop the table"));
  const page = pageAt(stage);
  const row = () => page.querySelector<HTMLElement>(`[data-session="${id}"]`);
  await expect.poll(row).not.toBeNull();
  const dialog = () => page.querySelector("dialog");
  const reason = () => dialog()?.querySelector("textarea");
  act(() => row()?.focus());
  for (const [key, title] of [
    ["z", "Snooze “Drop the table”"],
    ["d", "Decline “Drop the table”"],
  ] as const) {
    await press(key);
    await expect
      .poll(() =>
        dialog()
          ?.querySelector("h2")
          ?.textContent?.replace(/[\u2068\u2069]/g, ""),
      )
      .toBe(title);
    expect(page.querySelector("[data-peek]")?.getAttribute("data-peek")).toBe(id);
    if (key === "z") await click(button(page, "Close"));
  }
  await fill(reason(), "Ask Ada");
  await click(button(page, "Keep it"));
  expect(dialog()).toBeNull();
  act(() => row()?.focus());
  await press("d");
  await expect.poll(() => reason()?.value).toBe("Ask Ada");
  await click([...(dialog()?.querySelectorAll("button") ?? [])].at(-1));
  await expect.poll(row).toBeNull();
  await press("u");
  await expect.poll(row).not.toBeNull();
  act(() => row()?.focus());
  await press("d");
  await expect.poll(() => reason()?.value).toBe("Ask Ada");
  expect((await stage.view(id)).status).toBe("pending");
});
