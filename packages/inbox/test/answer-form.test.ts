import { AskboxError, type Desk, type DraftPatch } from "@askbox/core";
import { resumed, validSet } from "@askbox/core/testing";
import { expect, test } from "vitest";
import type { Askbox, UnsavedDraft, UnsavedDrafts } from "../src/index.ts";
import { unsentIn } from "../src/list/index.ts";
import { aWorld, type World } from "./support.ts";

async function opened(world: World, device: Askbox, id: string) {
  const session = await device.desk.get(id);
  await world.settle();
  return device.forms.of(session);
}

async function aForm(options: Parameters<World["device"]>[1] = {}) {
  const world = await aWorld();
  const id = await world.ask();
  const device = await world.device(undefined, options);
  return { world, id, device, form: await opened(world, device, id) };
}

function fill(form: Awaited<ReturnType<typeof aForm>>["form"]) {
  form.setText("q_text", "lathe");
  form.choose("q_select", "sqlite");
  form.choose("q_multi", "macos");
  form.choose("q_multi", "linux");
  form.setOtherText("q_multi", "Plan 9");
  form.choose("q_confirm", "yes");
}

test("nothing is preselected, and every required question is missing", async () => {
  const { form } = await aForm();
  expect(form.toAnswerSet()).toEqual({
    answers: ["q_text", "q_select", "q_multi", "q_confirm"].map((questionId) => ({ questionId, values: [] })),
  });
  expect(form.getState()).toMatchObject({ progress: { total: 4, answered: 0, missing: 4 }, errors: {}, step: 0, steps: 5 });
});

test.each(["constructor", "toString", "hasOwnProperty"])("a question named %s by an agent is like any other", async (id) => {
  const world = await aWorld();
  const session = await world.ask({ questions: [{ id, type: "text", question: "Which?", required: true }] });
  const form = await opened(world, await world.device(), session);
  expect(form.getState().errors[id]).toBeUndefined();
  form.setText(id, "the first");
  expect(form.getState().errors[id]).toBeUndefined();
  expect(form.toAnswerSet()).toEqual({ answers: [{ questionId: id, values: ["the first"] }] });
});

// promise: outside-names
test.each(["constructor", "toString", "hasOwnProperty"])("a draft without the question %s leaves it empty", async (id) => {
  const world = await aWorld();
  const session = await world.ask({ questions: [{ id, type: "text", question: "Which?", required: true }] });
  const device = await world.device();
  await device.desk.saveDraft(session, { comment: "hm" });
  const form = await opened(world, device, session);
  expect(form.toAnswerSet()).toEqual({ answers: [{ questionId: id, values: [] }], comment: "hm" });
});

test("an answer is sent once its files are uploaded, and only once", async () => {
  const { world, id, device, form } = await aForm();
  const upload = Promise.withResolvers<boolean>();
  form.expectFile("q_text", upload.promise);
  const sent = [form.submit(), form.submit()];
  await world.settle();
  expect(form.getState()).toMatchObject({ phase: "editing", awaitsFiles: true });
  // What is changed meanwhile is sent, too.
  fill(form);
  upload.resolve(true);
  expect(await Promise.all(sent)).toEqual([true, false]);
  await world.settle();
  expect((await device.desk.get(id)).outcome).toMatchObject({ answers: [{ values: ["lathe"] }, {}, {}, {}] });
  expect(form.getState()).toMatchObject({ phase: "settled", awaitsFiles: false });
});

test("an answer whose file could not be attached is not sent, and its question is shown", async () => {
  const { form } = await aForm();
  fill(form);
  const upload = Promise.withResolvers<boolean>();
  form.expectFile("q_select", upload.promise);
  const sent = form.submit();
  upload.resolve(false);
  expect(await sent).toBe(false);
  expect(form.getState()).toMatchObject({ phase: "editing", step: 1, awaitsFiles: false });
  expect(await form.submit()).toBe(true);
});

test("files of the comment are in the draft, on other devices too, and are sent with the answer", async () => {
  const { world, id, device, form } = await aForm({ desk: (desk) => desk });
  const phone = await opened(world, await world.device({ surface: "web", name: "phone" }), id);
  const shot = { name: "shot.png", mimeType: "image/png", size: 3, sha256: "a".repeat(64) };
  form.setComment("Like this", [shot]);
  await world.clock.advance(300);
  expect(phone.getState()).toMatchObject({ comment: "Like this", files: [shot] });
  phone.setComment("Like that");
  await world.clock.advance(300);
  expect(form.getState()).toMatchObject({ comment: "Like that", files: [shot] });
  form.setComment("Like that", []);
  await world.clock.advance(300);
  expect([phone.getState().files, (await device.desk.getDraft(id))?.files]).toEqual([undefined, undefined]);
  form.setComment("", [shot]);
  expect(form.toAnswerSet()).toMatchObject({ files: [shot] });
  const upload = Promise.withResolvers<boolean>();
  fill(form);
  form.goTo(4);
  form.expectFile(undefined, upload.promise);
  upload.resolve(false);
  expect(await form.submit()).toBe(false);
  expect(form.getState().step).toBe(4);
});

test("a completed form is sent as one answer per question, values in the options' order", async () => {
  const { world, id, device, form } = await aForm();
  fill(form);
  form.setNote("q_confirm", "after the release");
  form.setComment("Thanks.");
  expect(await form.submit()).toBe(true);
  await world.settle();
  expect((await device.desk.get(id)).outcome).toMatchObject({
    kind: "answered",
    comment: "Thanks.",
    answers: [
      { questionId: "q_text", values: ["lathe"] },
      { questionId: "q_select", values: ["sqlite"] },
      { questionId: "q_multi", values: ["linux", "macos"], customText: "Plan 9" },
      { questionId: "q_confirm", values: ["yes"], note: "after the release" },
    ],
  });
  expect(form.getState()).toMatchObject({ phase: "settled", settledHere: true });
});

test("Other replaces a select's option and is added to those of a multi-select; its text stays when it is deselected", async () => {
  const { form } = await aForm();
  form.choose("q_select", "sqlite");
  form.setOtherText("q_select", "DuckDB");
  expect(form.toAnswerSet().answers[1]).toEqual({ questionId: "q_select", values: [], customText: "DuckDB" });
  form.choose("q_select", "postgres");
  expect(form.toAnswerSet().answers[1]).toEqual({ questionId: "q_select", values: ["postgres"] });
  form.setOther("q_select", true);
  expect(form.toAnswerSet().answers[1]).toEqual({ questionId: "q_select", values: [], customText: "DuckDB" });
});

test("errors are shown when a field is left incomplete or the answer is sent, not while typing", async () => {
  const { form } = await aForm();
  form.focus({ questionId: "q_multi" });
  form.setOther("q_multi", true);
  expect(form.getState().errors).toEqual({});
  form.focus(undefined);
  expect(form.getState().errors).toMatchObject({ q_multi: { code: "blank_other" } });
  form.focus({ questionId: "q_select" });
  form.setNote("q_select", "before anything is picked");
  form.focus(undefined);
  expect(Object.keys(form.getState().errors)).toEqual(["q_multi"]);
  form.goTo(4);
  expect(await form.submit()).toBe(false);
  expect(form.getState()).toMatchObject({ step: 0, phase: "editing" });
  expect(Object.keys(form.getState().errors)).toEqual(["q_text", "q_select", "q_multi", "q_confirm"]);
});

test("an optional question can be skipped, a required one cannot", async () => {
  const world = await aWorld();
  const questions = [
    { id: "a", type: "text" as const, question: "Why?", required: false },
    { id: "b", type: "confirm" as const, question: "Sure?", required: true },
  ];
  const id = await world.ask({ questions });
  const form = await opened(world, await world.device(), id);
  form.setText("a", "because");
  form.setSkipped("a", true);
  form.setSkipped("b", true);
  expect(form.getState().progress).toEqual({ total: 2, answered: 1, missing: 1 });
  expect(form.toAnswerSet().answers).toEqual([
    { questionId: "a", values: [] },
    { questionId: "b", values: [] },
  ]);
  form.setSkipped("a", false);
  expect(form.toAnswerSet().answers[0]).toEqual({ questionId: "a", values: ["because"] });
});

test("the agent's recommendation and the earlier answer are only chosen at the user's request", async () => {
  const { world, id, device, form } = await aForm();
  form.pickRecommended("q_select");
  form.pickRecommended("q_multi");
  expect(form.toAnswerSet().answers.map(({ values }) => values)).toEqual([[], ["sqlite"], [], []]);
  const left = new AbortController();
  const waiting = resumed(world.asker, id, { signal: left.signal }).catch(() => {});
  left.abort();
  await waiting;
  await device.desk.answer(id, validSet());
  await world.settle();
  const again = await world.ask();
  const repeat = await opened(world, device, again);
  expect(repeat.getState().progress.answered).toBe(0);
  repeat.applyEarlierAnswer();
  expect(repeat.toAnswerSet()).toEqual(validSet());
});

test("drafts are saved 300 ms after a key and restored on another device", async () => {
  const { world, id, device, form } = await aForm();
  form.setText("q_text", "l");
  expect(form.getState().unsaved).toBe(true);
  await world.clock.advance(299);
  expect(await device.desk.getDraft(id)).toBeUndefined();
  form.setText("q_text", "la");
  await world.clock.advance(1);
  expect((await device.desk.getDraft(id))?.fields).toEqual({ q_text: { values: ["la"] } });
  expect(form.getState().unsaved).toBe(false);

  const phone = await opened(world, await world.device({ surface: "web", name: "phone" }), id);
  expect(phone.getState().fields["q_text"]?.values).toEqual(["la"]);
});

test("changes from another device are live, but never affect the field being edited here", async () => {
  const { world, id, form } = await aForm();
  const phone = await opened(world, await world.device({ surface: "web", name: "phone" }), id);
  form.focus({ questionId: "q_text" });
  form.setText("q_text", "mine");
  await world.clock.advance(300);
  phone.setText("q_text", "theirs");
  phone.choose("q_select", "postgres");
  phone.setComment("from the phone");
  await world.clock.advance(300);
  expect(form.getState().fields["q_text"]?.values).toEqual(["mine"]);
  expect(form.getState().fields["q_select"]?.values).toEqual(["postgres"]);
  expect(form.getState().comment).toBe("from the phone");
  form.focus(undefined);
  expect(form.getState().fields["q_text"]?.values).toEqual(["theirs"]);
});

test("a failed save is retried, with what was typed meanwhile", async () => {
  const saved: DraftPatch[] = [];
  let broken = true;
  const { world, id, device, form } = await aForm({
    desk: (desk) =>
      new Proxy(desk, {
        get(target, name) {
          const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
          if (name !== "saveDraft") return method.bind(target);
          return async (sessionId: string, patch: DraftPatch) => {
            if (broken) throw new AskboxError("HUB_UNREACHABLE", "Start the hub.");
            saved.push(patch);
            return target.saveDraft(sessionId, patch);
          };
        },
      }),
  });
  form.setText("q_text", "first");
  form.choose("q_confirm", "no");
  await world.clock.advance(300);
  form.setText("q_text", "second");
  broken = false;
  await world.clock.advance(1_999);
  expect(saved).toEqual([]);
  await world.clock.advance(1);
  expect(saved).toEqual([{ fields: { q_text: { values: ["second"] }, q_confirm: { values: ["no"] } } }]);
  expect((await device.desk.getDraft(id))?.fields["q_text"]).toEqual({ values: ["second"] });
});

/** What a surface keeps of unsaved input, and where. */
function keptInput() {
  const kept = new Map<string, UnsavedDraft>();
  const unsaved: UnsavedDrafts = {
    load: (id) => kept.get(id),
    save: (id, draft) => void kept.set(id, draft),
    remove: (id) => void kept.delete(id),
  };
  return { kept, unsaved };
}

test("unsaved input survives a crash of the surface, unless another device wrote later", async () => {
  const { kept, unsaved } = keptInput();
  const { world, id, form } = await aForm({ unsaved });
  form.setText("q_text", "before the crash");
  expect(kept.size).toBe(1);
  const reloaded = await opened(world, await world.device(undefined, { unsaved }), id);
  expect(reloaded.getState().fields["q_text"]?.values).toEqual(["before the crash"]);
  await world.clock.advance(300);
  expect(kept.size).toBe(0);

  kept.set(id, { patch: { fields: { q_text: { values: ["stale"] } } }, at: world.clock.now() - 10_000 });
  const later = await opened(world, await world.device(undefined, { unsaved }), id);
  expect(later.getState().fields["q_text"]?.values).toEqual(["before the crash"]);
});

test("what is typed while an earlier save is on its way survives a reload, even if the hub stores that save afterwards", async () => {
  const { kept, unsaved } = keptInput();
  const world = await aWorld();
  const id = await world.ask();
  const { promise: reachesHub, resolve: arrives } = Promise.withResolvers<void>();
  const slow = (desk: Desk) =>
    new Proxy(desk, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
        return (...args: unknown[]) =>
          name === "saveDraft" ? reachesHub.then(() => method.apply(target, args)) : method.apply(target, args);
      },
    });
  const form = await opened(world, await world.device(undefined, { unsaved, desk: slow }), id);
  form.setText("q_text", "fir");
  await world.clock.advance(300);
  form.setText("q_text", "first");
  // The page is gone before the reply.
  const stored = kept.get(id);
  await world.clock.advance(10);
  arrives();
  await world.settle();
  if (stored !== undefined) kept.set(id, stored);
  const reloaded = await opened(world, await world.device(undefined, { unsaved }), id);
  expect(reloaded.getState().fields["q_text"]?.values).toEqual(["first"]);

  // What another device wrote afterwards is newer.
  await world.broker.desk({ surface: "terminal", name: "Ada" }).saveDraft(id, { fields: { q_text: { values: ["from elsewhere"] } } });
  if (stored !== undefined) kept.set(id, stored);
  const later = await opened(world, await world.device(undefined, { unsaved }), id);
  expect(later.getState().fields["q_text"]?.values).toEqual(["from elsewhere"]);
});

test("a session settled elsewhere freezes the form and says who, where and what", async () => {
  const { world, id, form } = await aForm();
  form.setText("q_text", "half");
  await world.broker.desk({ surface: "terminal", name: "Ada" }).answer(id, validSet());
  await world.settle();
  expect(form.getState()).toMatchObject({
    phase: "settled",
    settledHere: false,
    session: { status: "answered", outcome: { by: { surface: "terminal", name: "Ada" } } },
  });
  form.setText("q_text", "too late");
  expect(form.getState().fields["q_text"]?.values).toEqual(["half"]);
  expect(await form.submit()).toBe(false);
});

test("of two forms that send at once one wins, and the other shows the outcome", async () => {
  const { world, id, form } = await aForm();
  const rival = await opened(world, await world.device({ surface: "web", name: "rival" }), id);
  fill(form);
  await world.clock.advance(300);
  rival.setText("q_text", "rival");
  const results = await Promise.all([form.submit(), rival.submit()]);
  await world.settle();
  expect(results).toEqual([true, false]);
  expect([form, rival].map((each) => each.getState().settledHere)).toEqual([true, false]);
  expect(rival.getState()).toMatchObject({ phase: "settled", failure: { code: "SESSION_CLOSED" }, session: { status: "answered" } });
});

test("a delayed answer can be recalled with all of its content, or is sent", async () => {
  const { world, form } = await aForm();
  fill(form);
  expect(await form.submit({ delay: 5_000 })).toBe(true);
  expect(form.getState()).toMatchObject({ phase: "scheduled", scheduled: { sendAt: world.clock.now() + 5_000, by: { name: "laptop" } } });
  form.setText("q_text", "not now");
  expect(await form.recall()).toBe(true);
  expect(form.getState()).toMatchObject({ phase: "editing", fields: { q_text: { values: ["lathe"] } } });
  await world.clock.advance(10_000);
  expect(form.getState().session.status).toBe("pending");
  await form.submit({ delay: 5_000 });
  await world.clock.advance(5_000);
  expect(form.getState()).toMatchObject({ phase: "settled", settledHere: true, session: { status: "answered" } });
});

test("a delayed decline can be recalled with all that was entered, or is sent", async () => {
  const { world, form } = await aForm();
  fill(form);
  expect(await form.cancel("not today", { delay: 5_000 })).toBe(true);
  const scheduled = { sendAt: world.clock.now() + 5_000, by: { name: "laptop" }, declines: true };
  expect(form.getState()).toMatchObject({ phase: "scheduled", scheduled });
  expect(await form.recall()).toBe(true);
  expect(form.getState()).toMatchObject({ phase: "editing", fields: { q_text: { values: ["lathe"] } } });
  await world.clock.advance(10_000);
  expect(form.getState().session.status).toBe("pending");
  await form.cancel("not today", { delay: 5_000 });
  await world.clock.advance(5_000);
  expect(form.getState()).toMatchObject({ phase: "settled", settledHere: true, session: { outcome: { reason: "not today" } } });
});

test("after the deadline the input is kept and sent as a reply", async () => {
  const { world, id, device, form } = await aForm();
  fill(form);
  await world.clock.advance(500_000);
  expect(form.getState()).toMatchObject({ phase: "editing", mode: "reply", session: { status: "timed_out" } });
  expect(await form.submit()).toBe(true);
  expect((await device.desk.get(id)).reply?.answers[0]).toEqual({ questionId: "q_text", values: ["lathe"] });
  expect(form.getState()).toMatchObject({ phase: "settled", settledHere: true });
});

test("extending the deadline loses no input", async () => {
  const { world, form } = await aForm();
  form.setText("q_text", "slow");
  expect(await form.extend(900_000)).toBe(true);
  await world.settle();
  expect(form.getState()).toMatchObject({ session: { deadlineAt: world.clock.now() + 900_000 }, fields: { q_text: { values: ["slow"] } } });
  expect(await form.extend(null)).toBe(true);
  expect(form.getState().session.deadlineAt).toBeNull();
  expect(await form.extend(1_000)).toBe(false);
  expect(form.getState().failure).toMatchObject({ action: "extend", code: "VALIDATION" });
});

test("a cancellation includes its reason", async () => {
  const { form } = await aForm();
  expect(await form.cancel("not now")).toBe(true);
  expect(form.getState()).toMatchObject({ phase: "settled", session: { outcome: { kind: "cancelled", reason: "not now" } } });
});

test("a reason to decline is kept on every device until it is sent, and is shown as unsent if somebody answers first", async () => {
  const { world, id, device, form } = await aForm();
  form.setReason("Not on Friday");
  await form.flush();
  const other = await opened(world, await world.device(), id);
  expect(other.getState().reason).toBe("Not on Friday");
  // While a change is on its way, the draft of the other device doesn't undo it.
  form.setReason("Not on Monday");
  other.setComment("A comment");
  await other.flush();
  await world.settle();
  expect(form.getState().reason).toBe("Not on Monday");
  await form.flush();
  await world.settle();
  expect(other.getState().reason).toBe("Not on Monday");

  fill(other);
  expect(await other.submit()).toBe(true);
  await world.settle();
  expect(unsentIn(form.getState())?.comment).toContain("Not on Monday");
  expect((await device.desk.get(id)).outcome).not.toHaveProperty("reason");
});

test("a reason that somebody else has given already is not shown as unsent", async () => {
  const { world, id, form } = await aForm();
  form.setReason("Not on Friday");
  await form.flush();
  const other = await opened(world, await world.device(), id);
  await other.cancel("Not on Friday");
  await world.settle();
  expect(unsentIn(form.getState())).toBeUndefined();
});

test("a reason is restored after a crash of the surface", async () => {
  const stored = new Map<string, UnsavedDraft>();
  const unsaved: UnsavedDrafts = {
    load: (id) => stored.get(id),
    save: (id, draft) => void stored.set(id, draft),
    remove: (id) => void stored.delete(id),
  };
  const { world, id, form } = await aForm({ unsaved });
  form.setReason("Not on Friday");
  const restored = await opened(world, await world.device(undefined, { unsaved }), id);
  expect(restored.getState().reason).toBe("Not on Friday");
});
