import { type AskUserEvent, createBroker, type DeskEvent, memoryStore, watchAskUser } from "@askbox/core";
import { anAsk, anAsker, testPlatform, validSet } from "@askbox/core/testing";
import { expect, test } from "vitest";

async function watched() {
  const platform = testPlatform();
  const broker = await createBroker({ store: memoryStore(), ...platform });
  const desk = broker.desk({ surface: "api" });
  const asker = broker.asker("token");
  const heard: AskUserEvent[] = [];
  const open = async (timeout = 60_000) => (await asker.open(anAsk({ timeout }), { asker: anAsker() })).session;
  return { platform, desk, asker, heard, open, listen: () => watchAskUser(desk, {}, (event) => heard.push(event)) };
}

test("the watch feed tells the design's events, each once: asked, answered, cancelled", async () => {
  const { platform, desk, asker, heard, open, listen } = await watched();
  const before = await open();
  const watch = await listen();
  const after = await open();
  const late = await open(10_000);
  void asker.wait(after.id);
  await desk.attend(after.id);
  const answered = await desk.answer(before.id, validSet());
  await asker.delivered(before.id);
  await desk.cancel(after.id, { reason: "no" });
  await platform.clock.advance(10_000);
  expect(heard.map(({ type, requestId }) => [type, requestId])).toEqual([
    ["cn_ask_user.asked", before.id],
    ["cn_ask_user.asked", after.id],
    ["cn_ask_user.asked", late.id],
    ["cn_ask_user.answered", before.id],
    ["cn_ask_user.cancelled", after.id],
    ["cn_ask_user.cancelled", late.id],
  ]);
  expect(heard[0]).toMatchObject({ questions: before.request.questions, title: before.request.title });
  expect(heard[3]).toMatchObject({ answers: answered.outcome?.kind === "answered" ? answered.outcome.answers : [] });
  expect(heard.slice(4)).toMatchObject([{}, { timedOut: true }]);
  watch.close();
});

test("what was answered while the feed was lost is told as answered when it is back", async () => {
  const { platform, desk, heard, open } = await watched();
  const session = await open();
  let tell: (event: DeskEvent) => void = () => {};
  const lossy = {
    ...{ get: (id: string) => desk.get(id) },
    watch: async (_filter: object, listener: (event: DeskEvent) => void) => {
      tell = listener;
      listener({ type: "snapshot", sessions: [await desk.get(session.id)], drafts: [] });
      return { close() {} };
    },
  } as unknown as typeof desk;
  await watchAskUser(lossy, {}, (event) => heard.push(event));
  await desk.answer(session.id, validSet());
  tell({ type: "snapshot", sessions: [], drafts: [] });
  await platform.clock.advance(0);
  expect(heard.map(({ type }) => type)).toEqual(["cn_ask_user.asked", "cn_ask_user.answered"]);
});
