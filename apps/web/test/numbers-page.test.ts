import { act, fireEvent } from "@testing-library/react";
import { createElement } from "react";
import { expect, test, vi } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { NumbersPage } from "../src/numbers/numbers-page.tsx";
import { cleansUp, click, shown } from "./page.ts";

cleansUp();

test("the statistics page uses the chosen period, describes each plot in words, and shows the day under the pointer in numbers", async () => {
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 800, 220));
  const stage = await createStage();
  const desk = stage.broker.desk({ surface: "terminal" });
  const settle = async () => {
    const { id } = await stage.ask({ questions: [{ id: "q", type: "confirm", question: "Go on?" }] });
    await desk.answer(id, { answers: [{ questionId: "q", values: ["yes"] }] });
  };
  for (const daysUntilNext of [120, 60, 17, 2, 0, 1, 0]) {
    await settle();
    await stage.clock.advance(daysUntilNext * 86_400_000);
  }
  const page = shown(stage, createElement(NumbersPage));
  const asked = () => page.querySelector(".tile-value")?.textContent;
  const choose = (days: number) => click(page.querySelector(`input[name=period][value="${days}"]`));
  // Settled 200, 80, 20, 3, 1, 1 and 0 days ago.
  await expect.poll(asked).toBe("5");
  await choose(90);
  await expect.poll(asked).toBe("6");
  await choose(7);
  await expect.poll(asked).toBe("4");

  const plot = page.querySelector("[role=img]");
  expect(plot?.getAttribute("aria-label")).toMatch(/How questions ended\. 100% were answered\. The busiest day was .*, with 2\./);
  const marks = plot?.querySelectorAll("rect.plot-mark") ?? [];
  expect(marks.length).toBe(3);
  const legend = () => page.querySelector(".legend")?.textContent;
  expect(legend()).toMatch(/Answered$/);
  // The middle of the column of the day before.
  const yesterday = Number(marks[1]?.getAttribute("x")) + 1;
  await act(async () => void fireEvent.pointerMove(plot as Element, { clientX: yesterday, clientY: 100 }));
  expect(legend()).toMatch(/Answered\s*2/);
});
