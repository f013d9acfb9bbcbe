import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validSet } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { scene, temporaryFolder } from "./support/scene.ts";

describe("a notification", () => {
  test("is sent 1.5 s after the first question, with all until then, and the next ones get another", async () => {
    const { announce, ask, clock, started } = await scene();
    await ask();
    await clock.advance(1_000);
    await ask();
    await clock.advance(499);
    await ask();
    expect(started).toHaveLength(0);
    // The wall clock has no part in it.
    clock.jumpWall(-3_600_000);
    await clock.advance(1);
    expect(started.map(({ request }) => request.args.at(-1)?.split("\n").length)).toEqual([3]);
    await announce();
    expect(started).toHaveLength(2);
  });

  test("is sent again for each reply of the agent, unless somebody has the question open", async () => {
    const { announce, asker, desk, started, batchLeaves } = await scene();
    const id = await announce();
    await desk.askBack(id, { text: "Why?" });
    await batchLeaves();
    expect(started).toHaveLength(1);
    await asker.resume(id, { reply: "Because.", maxWait: 0 });
    await batchLeaves();
    expect(started).toHaveLength(2);
    await desk.saveDraft(id, { comment: "I see" });
    await batchLeaves();
    expect(started).toHaveLength(2);
    const leave = await desk.attend(id);
    await desk.askBack(id, { text: "And when?" });
    await asker.resume(id, { reply: "Now.", maxWait: 0 });
    await batchLeaves();
    expect(started).toHaveLength(2);
    leave();
  });

  test("is not sent while anybody has snoozed the question, but when that ends", async () => {
    const { ask, desk, clock, started, batchLeaves } = await scene();
    const id = await ask();
    const { createdAt } = await desk.get(id);
    await desk.snooze(id, { until: createdAt + 60_000 });
    await clock.advance(59_000);
    expect(started).toHaveLength(0);
    await clock.advance(1_000);
    await batchLeaves();
    expect(started).toHaveLength(1);
    await desk.snooze(id, { until: createdAt + 120_000 });
    await desk.snooze(id, { until: null });
    await clock.advance(120_000);
    expect(started).toHaveLength(1);
  });

  test("is not sent while a surface is open, or if one opens before the batch ends", async () => {
    const { ask, clock, started, somebody, batchLeaves } = await scene();
    for (const since of [0, 1_000]) {
      somebody.there = since === 0;
      await ask();
      await clock.advance(since);
      somebody.there = true;
      await batchLeaves();
    }
    somebody.there = false;
    await batchLeaves();
    expect(started).toHaveLength(0);
  });

  test("is sent at half of the time and before the end for what nobody has seen, also on a surface that is open", async () => {
    const { ask, clock, started, somebody } = await scene();
    somebody.there = true;
    await ask({ timeout: 300_000 });
    await clock.advance(151_499);
    expect(started).toHaveLength(0);
    await clock.advance(1);
    expect(started).toHaveLength(1);
    somebody.there = false;
    await clock.advance(120_000);
    expect(started).toHaveLength(2);
  });

  test("omits what was settled before the batch ends, and is not sent if nothing is left", async () => {
    const { ask, answer, started, desk, batchLeaves } = await scene();
    const [answered, cancelled] = [await ask({ title: "Answered" }), await ask({ title: "Cancelled" })];
    await ask({ title: "Left" });
    await answer(answered);
    await desk.cancel(cancelled);
    await batchLeaves();
    expect(started.map(({ request }) => request.args.at(-1))).toEqual(["Left (4 questions)\nWhat should the new module be called?"]);
    await answer(await ask());
    await batchLeaves();
    expect(started).toHaveLength(1);
  });

  test("omits what somebody has opened, begun to answer, or answered with a delay", async () => {
    const { ask, started, desk, batchLeaves } = await scene();
    const leave = await desk.attend(await ask());
    leave();
    await desk.saveDraft(await ask(), { fields: { q_text: { values: ["la"] } } });
    await desk.answer(await ask(), validSet(), { delay: 10_000 });
    await batchLeaves();
    expect(started).toHaveLength(0);
  });

  test("is sent once per session, however often that changes", async () => {
    const { announce, started, desk, batchLeaves } = await scene();
    const id = await announce();
    await desk.extend(id, { timeout: 600_000 });
    const leave = await desk.attend(id);
    leave();
    await batchLeaves();
    expect(started).toHaveLength(1);
  });

  test("is not sent after closing, which leaves no timer behind", async () => {
    const { announce, ask, notify, clock, started } = await scene();
    await ask();
    const before = clock.pendingTimers();
    await notify.close();
    // The batch's, and the reminder's.
    expect(clock.pendingTimers()).toBe(before - 2);
    await announce();
    expect(started).toHaveLength(0);
  });

  test("is never made in mode `none`, which does not even watch", async () => {
    const { notify } = await scene({ mode: "none" });
    expect(notify.isWatching).toBe(false);
  });
});

describe("a hub that starts again", () => {
  test("does not announce a question again, and announces those it could not", async () => {
    const file = join(temporaryFolder(), "attention.json");
    const { announce, ask, notify, clock, started, startAgain, batchLeaves } = await scene({ file });
    const told = await announce({ title: "Told" });
    await ask({ title: "Not told" });
    await notify.close();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ local: [told] });
    expect(statSync(file).mode & 0o777).toBe(0o600);

    await clock.advance(60_000);
    await startAgain();
    await batchLeaves();
    expect(started.map(({ request }) => request.args.at(-1))).toEqual([
      "Told (4 questions)\nWhat should the new module be called?",
      "Not told (4 questions)\nWhat should the new module be called?",
    ]);
  });

  test("without stored state only announces questions younger than a batch, since others may have been announced", async () => {
    const { ask, notify, clock, started, startAgain, batchLeaves } = await scene();
    await notify.close();
    await ask({ title: "Old" });
    await clock.advance(1_500);
    await ask({ title: "Young" });
    await startAgain();
    await batchLeaves();
    expect(started.map(({ request }) => request.args.at(-1))).toEqual(["Young (4 questions)\nWhat should the new module be called?"]);
  });

  test("treats a damaged state file as empty", async () => {
    const file = join(temporaryFolder(), "attention.json");
    writeFileSync(file, "{]");
    const { announce, started } = await scene({ file });
    const id = await announce();
    expect(started).toHaveLength(1);
    await expect.poll(() => readFileSync(file, "utf8")).toBe(JSON.stringify({ local: [id] }));
  });

  test("logs once that its state cannot be written, and continues to notify", async () => {
    const file = join(temporaryFolder(), "absent", "attention.json");
    const { announce, notify, started, warnings } = await scene({ file });
    await announce();
    await announce();
    await notify.close();
    expect(started).toHaveLength(2);
    expect(warnings()).toEqual(["The announced questions could not be saved; after a restart they may be announced again."]);
  });
});
