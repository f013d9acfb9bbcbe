import { stripVTControlCharacters } from "node:util";
import { anAsk } from "@askbox/core/testing";
import { expect, test, vi } from "vitest";
import type { KeyPress } from "../src/editor/editor.ts";
import { aScreen } from "./support/screen.ts";

test("what was often written in the project is in the footer, and alt+1 adds it to a text or a reason", async () => {
  const questions = anAsk().questions.slice(0, 1);
  const { app, frame, ask, desk, settle, id } = await aScreen({ request: { questions } });
  for (const title of ["one", "two"]) {
    const answered = (await ask(title, { questions })).session.id;
    await desk.answer(answered, { answers: [{ questionId: "q_text", values: ["lathe"] }] });
    await desk.cancel((await ask(`not ${title}`, { questions })).session.id, { reason: "Not on Friday." });
  }
  await settle();
  const press = (...names: string[]) => {
    for (const name of names) app.handleKey({ name } as KeyPress);
  };
  const footer = () => stripVTControlCharacters(frame.at({ columns: 80, rows: 20, plain: true }).lines.at(-1) ?? "");
  // They are read when a text begins to be edited.
  if (app.ui.editing !== undefined) press("escape");
  press("enter");
  if (app.ui.editing === undefined) press("enter");
  await vi.waitFor(() => expect(footer()).toContain("alt+1 “lathe”"), { timeout: 30_000 });
  press("alt+1");
  expect(app.ui.editing?.buffer.text).toBe("lathe");
  press("escape");
  app.handleKey({ name: "d", text: "d" });
  expect(footer()).toContain("alt+1 “Not on Friday.”");
  press("alt+1");
  expect(app.ui.editing?.buffer.text).toBe("Not on Friday.");
  expect((await desk.get(id)).status).toBe("pending");
});
