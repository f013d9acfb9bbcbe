import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type SceneOptions, scene, target, temporaryFolder } from "./support/scene.ts";

const phone = target({ kind: "ntfy", url: "https://ntfy.example/my-topic", events: ["session.opened", "session.replied_back"] });
const second = 1_000;
const minute = 60 * second;

/** A scene with a phone, and the first lines of what it was pushed. */
async function phoneScene(options: SceneOptions = {}) {
  const made = await scene({ targets: [phone], ...options });
  return { ...made, messages: (): string[] => made.bodies().map(({ message }) => message.split("\n")[0]) };
}
type Phone = Awaited<ReturnType<typeof phoneScene>>;

describe("a person elsewhere", () => {
  test("is told of a question that nobody has seen for 20 s", async () => {
    const { ask, clock, messages, somebody } = await phoneScene();
    // A surface that is connected has not shown it to anybody.
    somebody.there = true;
    await ask({ title: "Deploy?" });
    await clock.advance(20 * second - 1);
    expect(messages()).toEqual([]);
    await clock.advance(1);
    expect(messages()).toEqual(["Deploy? (4 questions)"]);
  });

  test.each<[string, (scene: Phone, id: string) => Promise<unknown>]>([
    ["seen", async ({ desk }, id) => (await desk.attend(id))()],
    ["begun", ({ desk }, id) => desk.saveDraft(id, { comment: "Hm" })],
    ["answered", ({ answer }, id) => answer(id)],
    ["declined", ({ desk }, id) => desk.cancel(id)],
    ["asked back", ({ desk }, id) => desk.askBack(id, { text: "Why?" })],
    ["snoozed", ({ desk, clock }, id) => desk.snooze(id, { until: clock.now() + 60 * minute })],
  ])("is told nothing of what was %s before, and of nothing that a hub finds so as it starts", async (_, act) => {
    const made = await phoneScene();
    const id = await made.ask();
    await made.clock.advance(19 * second);
    await act(made, id);
    await made.notify.close();
    await made.startAgain();
    await made.clock.advance(4 * minute);
    expect(made.messages()).toEqual([]);
  });

  test("is told of every pending question, and again of one that a snooze brought back or the agent replied to", async () => {
    const { ask, asker, clock, desk, messages } = await phoneScene();
    const ids = [await ask({ title: "One", timeout: 30 * minute }), await ask({ title: "Two" }), await ask({ title: "Three" })];
    const [first = ""] = ids;
    await clock.advance(20 * second);
    expect(messages()).toHaveLength(3);
    await desk.snooze(first, { until: clock.now() + minute });
    await desk.askBack(ids[1] ?? "", { text: "Why?" });
    await asker.resume(ids[1] ?? "", { reply: "Because.", maxWait: 0 });
    await clock.advance(20 * second);
    expect(messages().slice(3)).toEqual(["The agent has replied: Because."]);
    await clock.advance(minute);
    expect(messages().slice(4)).toEqual(["One (4 questions)"]);
  });

  test("is told nothing of an action that a grant settles", async () => {
    const events = [...phone.events, "session.settled"] as const;
    const { ask, clock, desk, bodies } = await phoneScene({ targets: [{ ...phone, events, after: 0 }] });
    const action = { kind: "command" as const, command: "npm test", cwd: "/home/ada/engine" };
    const grants = [{ value: "project", label: "In this project" }];
    const questions = [{ id: "q_1", question: "May I?", required: true, type: "approval" as const, action, grants }];
    const first = await ask({ questions });
    await desk.answer(first, { answers: [{ questionId: "q_1", values: ["project"] }] });
    const granted = await ask({ questions });
    await clock.advance(minute);
    expect((await desk.get(granted)).outcome?.by.surface).toBe("grant");
    expect(bodies().filter(({ sequence_id }) => sequence_id === granted)).toEqual([]);
    expect(bodies().filter(({ sequence_id }) => sequence_id === first)).not.toEqual([]);
  });

  test("is reminded at half of the time and before the end, while nobody has seen it", async () => {
    const { ask, clock, desk, messages } = await phoneScene();
    const id = await ask({ timeout: 10 * minute });
    const counts: number[] = [];
    for (const until of [5 * minute - 1, 1, 4 * minute - 1, 1, minute - 1]) {
      await clock.advance(until);
      counts.push(messages().length);
    }
    expect(counts).toEqual([1, 2, 2, 3, 3]);
    expect((await desk.get(id)).status).toBe("pending");
  });

  test("is not reminded within 30 s of an announcement, nor of a question without a deadline, nor once it was seen", async () => {
    const { ask, clock, desk, messages } = await phoneScene();
    await ask({ timeout: 60 * second });
    await desk.extend(await ask({ timeout: 60 * second }), { timeout: null });
    await clock.advance(50 * second);
    expect(messages()).toHaveLength(2);
    await clock.advance(4 * second);
    expect(messages()).toHaveLength(3);
    const seen = await ask({ timeout: 10 * minute });
    await clock.advance(minute);
    // The third was told of its end.
    expect(messages()).toHaveLength(5);
    (await desk.attend(seen))();
    await clock.advance(8 * minute);
    expect(messages()).toHaveLength(5);
  });

  test("sees the push replaced, without a sound, as soon as the question is settled anywhere", async () => {
    const { ask, answer, bodies, clock, desk } = await phoneScene();
    const ids = [await ask({ title: "Deploy?" }), await ask({ title: "Merge?" }), await ask({ title: "Wait?", timeout: 60 * second })];
    await clock.advance(20 * second);
    await answer(ids[0] ?? "");
    await desk.cancel(ids[1] ?? "");
    await clock.advance(0);
    await clock.advance(40 * second);
    expect(
      bodies()
        .slice(3)
        .filter(({ priority }) => priority === 1)
        .map(({ sequence_id, message }) => [sequence_id, message]),
    ).toEqual([
      [ids[0], "Answered on the command line: Deploy? (4 questions)"],
      [ids[1], "Declined on the command line: Merge? (4 questions)"],
      [ids[2], "Nobody answered in time: Wait? (4 questions)"],
    ]);
  });

  test("is told once, also if the first push may not have arrived, and of the end in any case", async () => {
    const { ask, answer, answers, bodies, clock } = await phoneScene();
    answers.push(new Error("cut"), { status: 503 });
    const id = await ask({ timeout: 30 * minute });
    await clock.advance(25 * second);
    await answer(id);
    await clock.advance(10 * minute);
    expect(bodies().map(({ sequence_id, priority }) => [sequence_id, priority])).toEqual([
      [id, undefined],
      [id, undefined],
      [id, 1],
    ]);
  });

  test("is told once over several hubs, by another one if the first has ended, and of the end by the one that told", async () => {
    const claimed = new Set<string>();
    const claim = async (news: string) => !claimed.has(news) && claimed.add(news).size > 0;
    const { ask, answer, clock, messages, notify, startAgain } = await phoneScene({ remote: { claim } });
    await startAgain();
    const id = await ask({ timeout: 30 * minute });
    await clock.advance(20 * second);
    expect(messages()).toHaveLength(1);
    await answer(id);
    await clock.advance(0);
    expect(messages()).toHaveLength(2);
    await ask({ timeout: 30 * minute });
    await clock.advance(10 * second);
    await notify.close();
    await clock.advance(10 * second);
    expect(messages()).toHaveLength(3);
  });

  test("is told of the end within 2 s by another hub, if the one that told of the question has ended", async () => {
    const claimed = new Set<string>();
    const claim = async (news: string) => !claimed.has(news) && claimed.add(news).size > 0;
    const { ask, answer, asker, clock, messages, notify, startAgain } = await phoneScene({ remote: { claim } });
    const others = [await startAgain(), await startAgain()];
    const ids = [await ask({ title: "One" }), await ask({ title: "Two" })];
    await clock.advance(20 * second);
    await notify.close();
    for (const id of ids) {
      await answer(id);
      // The agent takes its answer, which changes the settled session.
      await (await asker.resume(id, { maxWait: 0 })).ack();
    }
    await clock.advance(2 * second);
    expect(messages().slice(2).sort()).toEqual([
      "Answered on the command line: One (4 questions)",
      "Answered on the command line: Two (4 questions)",
    ]);
    await Promise.all(others.map((other) => other.close()));
  });
});

describe("a hub that starts again", () => {
  test("tells of what came due meanwhile, repeats nothing, and says how what it told of was settled", async () => {
    const file = join(temporaryFolder(), "told.json");
    const { ask, answer, clock, messages, notify, startAgain } = await phoneScene({ file });
    const told = await ask({ title: "Told", timeout: 30 * minute });
    await clock.advance(20 * second);
    await ask({ title: "Due", timeout: 30 * minute });
    await ask({ title: "Pending", timeout: 30 * minute });
    await notify.close();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ [phone.url]: [told] });
    await clock.advance(minute);
    await answer(told);
    await startAgain();
    await clock.advance(0);
    expect(messages().sort()).toEqual([
      "Answered on the command line: Told (4 questions)",
      "Due (4 questions)",
      "Pending (4 questions)",
      "Told (4 questions)",
    ]);
    await expect.poll(() => readFileSync(file, "utf8")).not.toContain(told);
  });

  test("asks later for a question that it could not read", async () => {
    const { ask, clock, desk, messages, warnings } = await phoneScene();
    await ask();
    await clock.advance(10 * second);
    const get = desk.get.bind(desk);
    desk.get = () => Promise.reject(new Error("no Redis"));
    await clock.advance(12 * second);
    expect(messages()).toEqual([]);
    desk.get = get;
    await clock.advance(5 * second);
    expect(messages()).toHaveLength(1);
    expect(warnings()).toEqual(["A question could not be read, and is looked at again."]);
  });
});
