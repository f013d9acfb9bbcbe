import { parseAsk } from "@askbox/core";
import { seededIds } from "@askbox/core/testing";
import { act } from "@testing-library/react";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { button, cleansUp, click, fill, pageAt, path, press } from "./page.ts";

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
