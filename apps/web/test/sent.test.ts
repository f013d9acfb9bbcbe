import { expect, it } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { isGone } from "../src/session/sent.ts";

const question = { questions: [{ id: "q", type: "confirm" as const, question: "Deploy?" }] };

/** Whether a question that waits is out of the list, each time that the inbox changes. */
async function answered() {
  const stage = await createStage();
  const { id, form } = await stage.ask(question);
  const { inbox } = stage.askbox;
  form.choose("q", "yes");
  await form.submit({ delay: 5_000 });
  await expect.poll(() => inbox.getState().drafts.get(id)?.scheduled).toBeDefined();
  const gone: boolean[] = [];
  inbox.subscribe(() => inbox.getState().pending.has(id) && gone.push(isGone(inbox.getState().drafts.get(id))));
  return { ...stage, id, form, gone };
}

it("an answered question leaves the list once: it isn't back between the end of its draft and its own", async () => {
  const { clock, askbox, id, gone } = await answered();
  await clock.advance(5_000);
  await expect.poll(() => askbox.inbox.getState().settled.has(id)).toBe(true);
  expect(gone).toContain(true);
  expect(gone).not.toContain(false);
});

it("one that is recalled is back", async () => {
  const { form, gone } = await answered();
  await form.recall();
  await expect.poll(() => gone.at(-1)).toBe(false);
});
