import type { AskInput } from "@askbox/core";
import { samples } from "./questions.ts";
import type { Stage } from "./stage.ts";
import { inWords, type Words } from "./words.ts";

/** Brings a session into a state, and returns its id. */
type Scene = (stage: Stage) => Promise<string>;

// As many as a set may have.
const ofEachType = Object.values(samples)
  .flatMap(([sample]) => (sample === undefined ? [] : [sample.question]))
  .slice(0, 10);
const storage = samples.select[0]?.question ?? { question: "Which?" };
const timeout = 1_800_000;

const one: AskInput = { title: "Storage of the new hub", questions: [{ ...storage, id: "store" }], timeout };
const set = (kind?: Words): AskInput => ({
  title: "Before the release",
  questions: ofEachType.map((question, index) => ({
    header: ["Name", "Storage", "Platforms", "Publish", "Share", "Day", "Risk", "Order"][index] ?? "More",
    ...(kind === undefined ? question : inWords(question, kind)),
    id: `q${index}`,
  })),
  timeout,
});
const answer = { answers: [{ questionId: "store", values: ["Redis"] }] };

/** A set with one kind of text, in which one step is answered, one skipped and one invalid. */
const inEveryStep =
  (kind?: Words): Scene =>
  async (stage) => {
    const { id, form } = await stage.ask(set(kind));
    form.setText("q0", "lathe");
    form.goTo(1);
    return id;
  };

/** A session's whole pane, in each of its states. */
export const scenes: Readonly<Record<string, Scene>> = {
  single: async (stage) => (await stage.ask(one)).id,
  set: inEveryStep(),
  long: inEveryStep("long"),
  rightToLeft: inEveryStep("rightToLeft"),
  chinese: inEveryStep("chinese"),
  hostile: inEveryStep("hostile"),
  async review(stage) {
    const { id, form } = await stage.ask(set());
    form.setText("q0", "lathe");
    form.choose("q3", "yes");
    form.setComment("Behind a flag at first.");
    await form.submit();
    form.goTo(99);
    return id;
  },
  async sending(stage) {
    const { id, form } = await stage.ask(one);
    form.choose("store", "SQLite");
    await form.submit({ delay: 30_000 });
    return id;
  },
  async refused(stage) {
    const { id, form } = await stage.ask(one);
    form.choose("store", "SQLite");
    stage.failNext("The disk of the hub is full.");
    await form.submit();
    return id;
  },
  async answered(stage) {
    const { id, form } = await stage.ask(one);
    form.choose("store", "Redis");
    await form.submit();
    return id;
  },
  async conflict(stage) {
    const { id, form } = await stage.ask(one);
    form.choose("store", "SQLite");
    await stage.broker.desk({ surface: "terminal", name: "Grace" }).answer(id, answer);
    return id;
  },
  async late(stage) {
    const { id, form } = await stage.ask({ ...one, timeout: 60_000 });
    form.choose("store", "SQLite");
    await stage.clock.advance(60_000);
    return id;
  },
  async repliedLate(stage) {
    const { id } = await stage.ask({ ...one, timeout: 60_000 });
    await stage.clock.advance(60_000);
    await stage.broker.desk({ surface: "cli", name: "Grace" }).reply(id, answer);
    return id;
  },
  async declined(stage) {
    const { id, form } = await stage.ask(one);
    await form.cancel("Ask me tomorrow; the migration runs tonight.");
    return id;
  },
  async askedAgain(stage) {
    const { id } = await stage.ask({ ...one, timeout: 60_000 });
    await stage.broker.desk({ surface: "web" }).answer(id, answer);
    return (await stage.ask({ ...one, timeout: 120_000 })).id;
  },
};
