import { act } from "@testing-library/react";
import { createElement } from "react";
import { expect, test, vi } from "vitest";
import { OutlookNote } from "../src/session/outlook-note.tsx";
import { button, cleansUp, click, opened, shown } from "./page.ts";

cleansUp();

const confirm = { questions: [{ id: "q", type: "confirm" as const, question: "Sure?" }] };
const away = { asker: "will_ask_again" as const, openIn: [] };
const resume = { how: "conversation" as const, command: "codex resume 0197f000" };

test("before the answer, it is said whether the agent goes on at once, in its words for each client", async () => {
  const { stage, id } = await opened(confirm);
  vi.spyOn(stage.askbox.desk, "outlook").mockResolvedValue({ client: "idle", next: "continues" });
  const session = { ...(await stage.askbox.desk.get(id)), presence: away };
  const page = shown(stage, createElement(OutlookNote, { session }));
  await act(async () => {});
  expect(page.textContent?.replace(/[\u2068\u2069]/g, "")).toMatch(/goes on at once\.$/);
});

test("an agent that has gone is resumed with a command, and started with a button once there is an answer", async () => {
  const { stage, id } = await opened(confirm);
  vi.spyOn(stage.askbox.desk, "outlook").mockResolvedValue({ client: "gone", next: "start", resume });
  const pending = { ...(await stage.askbox.desk.get(id)), presence: away };
  const before = shown(stage, createElement(OutlookNote, { session: pending }));
  await act(async () => {});
  expect(before.querySelector("code")?.textContent).toBe(resume.command);
  expect(button(before, "Start the agent again")).toBeUndefined();
  await stage.askbox.desk.answer(id, { answers: [{ questionId: "q", values: ["yes"] }] });
  const answered = { ...(await stage.askbox.desk.get(id)), presence: away };
  const after = shown(stage, createElement(OutlookNote, { session: answered }));
  await act(async () => {});
  const wake = vi.spyOn(stage.askbox.desk, "wake").mockRejectedValue(new Error("It is gone for good."));
  await click(button(after, "Start the agent again"));
  expect(wake).toHaveBeenCalledExactlyOnceWith(id);
  expect(after.querySelector("[role=alert]")?.textContent).not.toBe("");
});

test("an agent that gets it with its next call, and a hub that doesn't say, need no words", async () => {
  const { stage, id } = await opened(confirm);
  const session = { ...(await stage.askbox.desk.get(id)), presence: away };
  const outlook = vi.spyOn(stage.askbox.desk, "outlook");
  outlook.mockResolvedValueOnce({ client: "unknown", next: "next_call" }).mockRejectedValueOnce(new Error("old"));
  for (let count = 0; count < 2; count += 1) {
    const page = shown(stage, createElement(OutlookNote, { session }));
    await act(async () => {});
    expect(page.textContent).toBe("");
  }
});
