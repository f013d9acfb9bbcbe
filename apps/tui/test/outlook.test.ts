import { stripVTControlCharacters } from "node:util";
import type { Outlook } from "@askbox/core/clients";
import { expect, test, vi } from "vitest";
import type { KeyPress } from "../src/editor/editor.ts";
import { aScreen } from "./support/screen.ts";

const eighty = { columns: 80, rows: 20, plain: true };

async function shownWith(outlook: Outlook) {
  const screen = await aScreen();
  const { app, frame, desk, id, clock, settle } = screen;
  vi.spyOn(desk, "outlook").mockResolvedValue(outlook);
  await clock.advance(130_000);
  const press = async (name: string, text?: string) => {
    app.handleKey({ name, ...(text !== undefined && { text }) } as KeyPress);
    await settle();
  };
  await press("escape");
  await press("enter");
  const shown = () => frame.at(eighty).lines.map((each) => stripVTControlCharacters(each).trimEnd());
  return { ...screen, press, shown: () => shown().join("\n"), id };
}

test("an open question says whether its agent goes on at once", async () => {
  const { shown } = await shownWith({ client: "idle", next: "continues" });
  expect(shown()).toMatch(/goes on at once\./);
});

test("a settled one whose agent has gone says how to resume it, and W starts it", async () => {
  const resume = { how: "conversation" as const, command: "codex resume 0197f000" };
  const { shown, press, desk, id, clock, settle } = await shownWith({ client: "gone", next: "start", resume });
  expect(shown().replaceAll(/\s+/g, " ")).toContain("has gone. Once you have answered, you can start it again in the background");
  expect(shown()).toContain("codex resume 0197f000");
  const wake = vi.spyOn(desk, "wake").mockImplementation((one) => desk.get(one));
  await press("W", "W");
  expect(wake).not.toHaveBeenCalled();
  await desk.cancel(id);
  await settle();
  // What is typed by somebody who has not seen that it is settled does nothing.
  await clock.advance(5_000);
  expect(shown()).toContain("W start the agent again");
  await press("W", "W");
  expect(wake).toHaveBeenCalledExactlyOnceWith(id);
});

test("an agent that gets it with its next call needs no words", async () => {
  const { shown } = await shownWith({ client: "unknown", next: "next_call" });
  expect(shown()).not.toMatch(/goes on|has gone|next call/);
});
