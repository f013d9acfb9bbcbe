import { AskboxError, createBroker, type DeskEvent, memoryStore, parseAsk, type SessionView } from "@askbox/core";
import { type AskUserEvent, answersFromAskUser, askUserQuestions, watchAskUser } from "@askbox/core/shapes";
import { anAsk, anAsker, deliver, resumed, testPlatform, validSet } from "@askbox/core/testing";
import { expect, test } from "vitest";

async function watched() {
  const platform = testPlatform();
  const broker = await createBroker({ store: memoryStore(), ...platform });
  const desk = broker.desk({ surface: "api" });
  const asker = broker.asker("token");
  const received: AskUserEvent[] = [];
  const open = async (timeout = 60_000) => (await asker.ask(anAsk({ timeout }), { asker: anAsker(), maxWait: 0 })).session;
  return { platform, desk, asker, received, open, listen: () => watchAskUser(desk, {}, (event) => received.push(event)) };
}

test("the watch feed reports the design's events, each once: asked, answered, cancelled", async () => {
  const { platform, desk, asker, received, open, listen } = await watched();
  const before = await open();
  const watch = await listen();
  const after = await open();
  const late = await open(10_000);
  void resumed(asker, after.id);
  await desk.attend(after.id);
  const answered = await desk.answer(before.id, validSet());
  await deliver(asker, before.id);
  await desk.cancel(after.id, { reason: "no" });
  await platform.clock.advance(10_000);
  expect(received.map(({ type, requestId }) => [type, requestId])).toEqual([
    ["cn_ask_user.asked", before.id],
    ["cn_ask_user.asked", after.id],
    ["cn_ask_user.asked", late.id],
    ["cn_ask_user.answered", before.id],
    ["cn_ask_user.cancelled", after.id],
    ["cn_ask_user.cancelled", late.id],
  ]);
  expect(received[0]).toMatchObject({ questions: askUserQuestions(before.request.questions), title: before.request.title });
  const chosen = received[3]?.type === "cn_ask_user.answered" ? received[3].answers : [];
  const answers = answered.outcome?.kind === "answered" ? answered.outcome.answers : [];
  expect(chosen.map(({ values }) => values).slice(0, 2), "named by the texts of asked").not.toEqual(
    answers.map(({ values }) => values).slice(0, 2),
  );
  expect(answersFromAskUser(before.request.questions, chosen)).toEqual(answers);
  expect(received.slice(4)).toMatchObject([{}, { timedOut: true }]);
  watch.close();
});

test("a session answered while the feed was disconnected is reported as answered after reconnecting", async () => {
  const { platform, desk, received, open } = await watched();
  const session = await open();
  let publish: (event: DeskEvent) => void = () => {};
  const lossy = {
    get: (id: string) => desk.get(id),
    watch: async (_filter: object, listener: (event: DeskEvent) => void) => {
      publish = listener;
      listener({ type: "snapshot", sessions: [await desk.get(session.id)], drafts: [] });
      return { close() {} };
    },
  } as unknown as typeof desk;
  await watchAskUser(lossy, {}, (event) => received.push(event));
  await desk.answer(session.id, validSet());
  publish({ type: "snapshot", sessions: [], drafts: [] });
  await platform.clock.advance(0);
  expect(received.map(({ type }) => type)).toEqual(["cn_ask_user.asked", "cn_ask_user.answered"]);
});

/** A watch that the test feeds, and a desk that knows the reported sessions. */
async function fed() {
  const { desk, received, open } = await watched();
  let publish: (event: DeskEvent) => void = () => {};
  let gets: (id: string) => Promise<SessionView> = (id) => desk.get(id);
  const handmade = {
    get: (id: string) => gets(id),
    watch: async (_filter: object, listener: (event: DeskEvent) => void) => {
      publish = listener;
      return { close() {} };
    },
  } as unknown as typeof desk;
  await watchAskUser(handmade, {}, (event) => void received.push(event));
  const snapshot = async (...ids: string[]) =>
    publish({ type: "snapshot", sessions: await Promise.all(ids.map((id) => desk.get(id))), drafts: [] });
  const settle = async () => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  return {
    desk,
    received,
    open,
    snapshot,
    settle,
    publish: (event: DeskEvent) => publish(event),
    failsWith(error: unknown) {
      gets = () => Promise.reject(error);
    },
    told: () => received.splice(0).map(({ type, requestId }) => `${type.slice("cn_ask_user.".length)} ${requestId}`),
  };
}

test("a session without a title is reported without one, and only once however often it changes", async () => {
  const { desk, received, open, publish } = await fed();
  const { id } = await open();
  const { title: _, ...untitled } = await desk.get(id);
  publish({ type: "session", session: untitled });
  publish({ type: "session", session: { ...untitled, revision: 2 } });
  publish({ type: "draft_erased", sessionId: id });
  expect(received).toStrictEqual([{ type: "cn_ask_user.asked", requestId: id, questions: askUserQuestions(untitled.questions) }]);
});

test("the end of a session that was never reported is not reported, and a cancellation has no time", async () => {
  const { desk, received, open, publish, told } = await fed();
  const { id } = await open();
  const pending = await desk.get(id);
  const cancelled = await desk.cancel(id);
  publish({ type: "session", session: cancelled });
  publish({ type: "removed", sessionId: id });
  expect(told()).toEqual([]);
  publish({ type: "session", session: pending });
  publish({ type: "session", session: cancelled });
  publish({ type: "session", session: cancelled });
  expect(received.slice(1)).toStrictEqual([{ type: "cn_ask_user.cancelled", requestId: id }]);
});

test("a removed session is reported as cancelled, once", async () => {
  const { open, snapshot, publish, told } = await fed();
  const { id } = await open();
  await snapshot(id);
  publish({ type: "removed", sessionId: id });
  publish({ type: "removed", sessionId: id });
  expect(told()).toEqual([`asked ${id}`, `cancelled ${id}`]);
});

test("a new snapshot reports new sessions, but not those still open", async () => {
  const { open, settle, snapshot, told } = await fed();
  const { id } = await open();
  await snapshot(id);
  const { id: second } = await open();
  await snapshot(id, second);
  await settle();
  expect(told()).toEqual([`asked ${id}`, `asked ${second}`]);
});

test("a session missing from a new snapshot is cancelled if it is gone, and kept if it cannot be read", async () => {
  const { failsWith, open, settle, snapshot, told } = await fed();
  const { id } = await open();
  await snapshot(id);
  failsWith(new Error("away"));
  await snapshot();
  await settle();
  expect(told()).toEqual([`asked ${id}`]);
  failsWith(new AskboxError("SESSION_NOT_FOUND", "There is none."));
  await snapshot();
  await settle();
  expect(told()).toEqual([`cancelled ${id}`]);
});

test("questions have the design's shape, and what is chosen by its texts are the options' values", () => {
  const action = { kind: "command" as const, command: "ls" };
  const { questions } = parseAsk(
    {
      questions: [
        { id: "db", question: "Which?", options: [{ label: "SQLite", value: "lite", description: "a file" }, "Postgres"] },
        { id: "name", question: "Name?", placeholder: "e.g. lathe", required: false },
        { id: "sure", question: "Sure?", type: "confirm" },
        { id: "size", question: "How big?", type: "number" },
        { id: "order", question: "In which order?", type: "ranking", options: ["a", { label: "a", value: "b" }] },
        { id: "stars", question: "How good?", type: "rating", max: 3 },
      ],
    },
    testPlatform(),
  );
  expect(askUserQuestions(questions)).toEqual([
    { id: "db", question: "Which?", type: "select", options: ["SQLite", "Postgres"], required: true },
    { id: "name", question: "Name?", type: "text", required: false, placeholder: "e.g. lathe" },
    { id: "sure", question: "Sure?", type: "confirm", required: true },
    { id: "size", question: "How big?", type: "text", required: true },
    { id: "order", question: "In which order?", type: "multi-select", options: ["a", "b"], required: true },
    { id: "stars", question: "How good?", type: "select", options: ["1", "2", "3"], required: true },
  ]);
  const sent = [
    { questionId: "db", values: ["SQLite"] },
    { questionId: "name", values: [], customText: "lathe" },
    { questionId: "order", values: ["b", "a"] },
    { questionId: "unknown", values: ["x"] },
  ];
  expect(answersFromAskUser(questions, sent)).toEqual([{ questionId: "db", values: ["lite"] }, ...sent.slice(1)]);
  const approval = parseAsk({ questions: [{ question: "May I?", type: "approval", action }] }, testPlatform());
  expect(askUserQuestions(approval.questions), "an approval must be shown whole").toBeUndefined();
});
