import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { sessionPath } from "../src/router/router.tsx";
import { button, cleansUp, click, pageAt } from "./page.ts";

cleansUp();

test("what was often written in the project is offered below a text and for a reason, and only added when it is picked", async () => {
  // The page keeps what it has read of a project for a minute, and another file may have shown the usual one.
  const stage = await createStage({ project: "/home/ada/bakery" });
  const desk = stage.broker.desk({ surface: "terminal" });
  const input = { questions: [{ id: "q", question: "What next?" }] };
  for (let count = 0; count < 2; count += 1) {
    await desk.answer((await stage.ask(input)).id, { answers: [{ questionId: "q", values: ["Run <b>the</b> tests."] }] });
    await desk.cancel((await stage.ask(input)).id, { reason: "Not on Friday." });
  }
  const { id } = await stage.ask({ questions: [{ id: "q", question: "And now?" }] });
  const page = pageAt(stage, sessionPath(id));
  const field = () => page.querySelector<HTMLTextAreaElement>(".question textarea");
  await expect.poll(() => button(page, "Run <b>the</b> tests.")).toBeDefined();
  expect(field()?.value).toBe("");
  await click(button(page, "Run <b>the</b> tests."));
  expect(field()?.value).toBe("Run <b>the</b> tests.");
  expect((await stage.view(id)).status).toBe("pending");
  await click(button(page, "Decline"));
  await expect.poll(() => button(page, "Not on Friday.")).toBeDefined();
  const reason = () => page.querySelector<HTMLTextAreaElement>("dialog textarea")?.value;
  expect(reason()).toBe("");
  await click(button(page, "Not on Friday."));
  expect(reason()).toBe("Not on Friday.");
});
