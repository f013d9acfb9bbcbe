import { expect, it, vi } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { isGone } from "../src/session/sent.ts";

const question = { questions: [{ id: "q", type: "confirm" as const, question: "Deploy?" }] };

const until = (holds: () => boolean) => vi.waitFor(() => expect(holds()).toBe(true), 10_000);

/** Whether a question that waits is out of the list, each time that the inbox changes. */
async function answered() {
  const stage = await createStage();
  const { id, form } = await stage.ask(question);
  const { inbox } = stage.askbox;
  form.choose("q", "yes");
  await form.submit({ delay: 5_000 });
  await until(() => inbox.getState().drafts.get(id)?.scheduled !== undefined);
  const gone: boolean[] = [];
  inbox.subscribe(() => inbox.getState().pending.has(id) && gone.push(isGone(inbox.getState().drafts.get(id))));
  return { ...stage, id, form, gone };
}

it("an answered question leaves the list once: it isn't back between the end of its draft and its own", async () => {
  const { clock, askbox, id, gone } = await answered();
  clock.advance(5_000);
  await until(() => askbox.inbox.getState().settled.has(id));
  expect(gone).toContain(true);
  expect(gone).not.toContain(false);
});

it("one that is recalled is back", async () => {
  const { form, gone } = await answered();
  await form.recall();
  await until(() => gone.at(-1) === false);
});
