import { act } from "@testing-library/react";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { cleansUp, pageAt } from "./page.ts";

cleansUp();

test("an inbox that was never used says how an agent gets to ask, with a list of first steps", async () => {
  const stage = await createStage();
  const page = pageAt(stage);
  const shown = () => page.querySelector(".list")?.textContent ?? "";
  await expect.poll(shown).toContain("No agent has asked yet");
  expect([...page.querySelectorAll(".first-commands code")].map(({ textContent }) => textContent)).toEqual([
    "askbox setup",
    expect.stringMatching(/^askbox ask "/),
  ]);
  expect([...page.querySelectorAll(".first-commands button")].length).toBe(2);
  const left = () => [...page.querySelectorAll(".first-steps li:not([data-done])")].map(({ textContent }) => textContent);
  expect(left().slice(0, 2)).toEqual(["Connect an agent", "Answer its first question"]);
  const { id } = await act(() => stage.ask({ questions: [{ id: "q", type: "confirm", question: "Deploy?" }] }));
  await expect.poll(shown).toContain("Deploy?");
  await act(() => stage.broker.desk({ surface: "terminal" }).answer(id, { answers: [{ questionId: "q", values: ["yes"] }] }));
  await expect.poll(shown).toContain("You're all caught up");
  expect(left()).not.toContain("Connect an agent");
  expect(left()).not.toContain("Answer its first question");
  expect(shown()).not.toContain("askbox setup");
});
