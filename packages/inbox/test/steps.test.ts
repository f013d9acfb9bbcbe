import { expect, test } from "vitest";
import { aWorld } from "./support.ts";

async function aForm() {
  const world = await aWorld();
  const id = await world.ask({
    questions: [
      { id: "size", required: true, question: "How many?", type: "number", max: 64 },
      { id: "mail", required: true, question: "Whom?", type: "text", format: "email" },
    ],
  });
  const device = await world.device();
  await world.settle();
  return device.forms.of(await device.desk.get(id));
}

test("an invalid answer stays on its step, and shows an error", async () => {
  const form = await aForm();
  form.setText("size", "99");
  expect(form.next()).toBe(false);
  expect(form.getState()).toMatchObject({ step: 0, errors: { size: { message: expect.stringContaining("at most 64") } } });
  form.setText("size", "8");
  expect(form.next()).toBe(true);
  expect(form.getState()).toMatchObject({ step: 1, errors: {} });
});

test("a missing answer may be given later", async () => {
  const form = await aForm();
  expect(form.next()).toBe(true);
  expect(form.getState().step).toBe(1);
});
