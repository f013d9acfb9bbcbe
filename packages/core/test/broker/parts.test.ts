import { AskboxError, type AskRequest, memoryStore, type SessionRecord, type SessionStore } from "@askbox/core";
import { questionTypes } from "@askbox/core/questions";
import { anAsk, anAsker, anOutcome, aRecord, bob, fakeClock, settled, testDigest } from "@askbox/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { AuditWriter } from "../../src/broker/audit-writer.ts";
import { applyEvent, changeSession } from "../../src/broker/change.ts";
import { rememberedScopes, textOfAsk } from "../../src/broker/identity.ts";
import { Retention } from "../../src/broker/retention.ts";
import { validAnswers } from "../../src/broker/valid-answers.ts";
import { Waits } from "../../src/broker/waits.ts";
import type { Question } from "../../src/session/questions/index.ts";
import { schemas } from "../../src/session/questions/schemas.ts";
import { type AskedFields, askedFields, withField } from "../../src/testing/asked-fields.ts";

const { id } = aRecord();
const withRecord = (store: SessionStore) => ({ store, audit: new AuditWriter(store, testDigest), onSettled: () => {} });

describe("changing a session", () => {
  async function stored(overrides: Partial<SessionStore> = {}) {
    const store = memoryStore();
    await store.insert(aRecord());
    return { ...store, ...overrides };
  }

  test("writes the next revision, or nothing if there is no change", async () => {
    const store = await stored();
    expect(await changeSession(withRecord(store), id, (record) => ({ ...record, seenAt: 1 }))).toEqual({
      ...aRecord(),
      revision: 2,
      seenAt: 1,
    });
    expect(await store.get(id)).toEqual({ ...aRecord(), revision: 2, seenAt: 1 });
    expect((await changeSession(withRecord(store), id, () => undefined)).revision).toBe(2);
  });

  test("starts over if somebody was faster", async () => {
    const store = await stored();
    const seen: number[] = [];
    await changeSession(withRecord(store), id, async (record) => {
      seen.push(record.revision);
      if (record.revision === 1) await store.replace({ ...record, revision: 2 }, 1);
      return { ...record, seenAt: 1 };
    });
    expect([seen, (await store.get(id))?.revision]).toEqual([[1, 2], 3]);
  });

  test("reports the write that settled it, once, and no other", async () => {
    const store = await stored();
    const told: string[] = [];
    const context = { ...withRecord(store), onSettled: ({ state, revision }: SessionRecord) => void told.push(`${state} ${revision}`) };
    await changeSession(context, id, (record) => ({ ...record, seenAt: 1 }));
    await changeSession(context, id, async (record) => {
      // Another writer is faster.
      if (record.revision === 2) await store.replace({ ...record, revision: 3 }, 2);
      return settled(record);
    });
    await changeSession(context, id, (record) => ({ ...record, delivery: { deliveredAt: 1 } }));
    expect(told).toEqual(["answered 4"]);
  });

  test("gives up after a hundred tries", async () => {
    let tries = 0;
    const store = await stored({
      async replace() {
        tries += 1;
        return false;
      },
    });
    await expect(changeSession(withRecord(store), id, (record) => record)).rejects.toThrow(
      new AskboxError("CONFLICT", "The session kept changing while it was being written; try again."),
    );
    expect(tries).toBe(100);
  });

  test("is rejected if the session does not exist", async () => {
    await expect(changeSession(withRecord(await stored()), "other", (record) => record)).rejects.toMatchObject({
      code: "SESSION_NOT_FOUND",
      message: "There is no session other; it may have been removed after the retention time.",
    });
  });

  test("with an event of the machine keeps the rest, and stores when it was closed", () => {
    const { context: _, ...rest } = aRecord();
    const deadlineAt = aRecord().context.deadlineAt ?? 0;
    const later = applyEvent(aRecord(), { type: "EXTEND", deadlineAt: deadlineAt + 1, by: bob });
    expect(later).toStrictEqual({ ...rest, context: { deadlineAt: deadlineAt + 1 } });
    const outcome = { kind: "cancelled", by: bob, at: 7 } as const;
    const cancelled = applyEvent(aRecord(), { type: "CANCEL", by: bob, at: 7 });
    expect(cancelled).toStrictEqual({ ...rest, state: "cancelled", context: { deadlineAt, outcome }, closedAt: 7 });
    expect(applyEvent(settled(aRecord()), { type: "CANCEL", by: bob, at: 7 })).toBeUndefined();
  });
});

describe("the identity of an asker", () => {
  const scope = (owner: string, overrides = {}) => rememberedScopes(testDigest)(owner, anAsker(overrides));

  test("ignores version and branch, and depends on everything else", async () => {
    const same = await scope("owner-1");
    expect(await scope("owner-1", { client: { name: "test-client", version: "2" }, branch: "other" })).toBe(same);
    const others = [
      scope("owner-2"),
      scope("owner-1", { client: { name: "other" } }),
      scope("owner-1", { project: "/mill" }),
      scope("owner-1", { project: undefined }),
      scope("owner-1", { agentId: "agent-2" }),
      scope("owner-1", { agentId: undefined }),
    ];
    expect(new Set([same, ...(await Promise.all(others))]).size).toBe(7);
    expect(await scope("owner-1", { project: "null", agentId: undefined })).not.toBe(
      await scope("owner-1", { project: undefined, agentId: undefined }),
    );
  });
});

describe("two asks are equal", () => {
  const select = { id: "q_abc123", type: "select", question: "Which?", required: true, allowOther: true } as const;
  const options = [{ label: "A", value: "a" }];
  const text = (question: Record<string, unknown>, ask: Partial<AskRequest> = {}) =>
    textOfAsk(anAsk({ questions: [{ ...select, options, ...question } as never], ...ask }));

  test("with other generated ids, another timeout and another order of fields", () => {
    const same = text({});
    expect(text({ id: "q_zzzzz9" })).toBe(same);
    expect(text({}, { timeout: 1_000 })).toBe(same);
    expect(text({ options: [{ value: "a", label: "A" }] })).toBe(same);
  });

  test("only with the same title, number of questions and ids that the agent chose", () => {
    const ids = ["own", "q_abc12", "q_abc1234", "xq_abc123", "q_ABC123"];
    const others = [text({}), text({}, { title: "Other" }), text({}, { questions: [] }), ...ids.map((own) => text({ id: own }))];
    expect(new Set(others).size).toBe(others.length);
  });

  const picture = { name: "a.png", mimeType: "image/png", size: 9, sha256: "a0", width: 3, height: 2, alt: "Blue" };
  const withPictures = (question: Question): Question => {
    const own = { ...question, images: [picture] } as Question;
    return "options" in own ? { ...own, options: own.options.map((option) => ({ ...option, images: [picture] })) } : own;
  };
  const changedPictures = (question: Question) =>
    Object.fromEntries(
      ["images.0", ...("options" in question ? ["options.0.images.0"] : [])].flatMap((path) =>
        Object.entries(picture).map(([name, value]) => [`${path}.${name}`, typeof value === "number" ? value + 1 : `${value}!`]),
      ),
    );

  /** The paths of all fields that a schema describes. */
  const pathsIn = (schema: z.core.JSONSchema.BaseSchema, path: string): string[] => {
    if (schema.properties !== undefined) {
      return Object.entries(schema.properties).flatMap(([name, part]) =>
        pathsIn(part as typeof schema, path === "" ? name : `${path}.${name}`),
      );
    }
    // A picture is compared as it is stored, not as it was sent.
    const items = (schema.items as typeof schema | undefined)?.anyOf?.[0] ?? schema.items;
    return items === undefined ? [path] : pathsIn(items as typeof schema, `${path}.0`);
  };

  test.each(questionTypes)("only with every field of a question of type %s", (type) => {
    // An approval has two forms, which differ in some fields.
    const forms = askedFields.filter((each) => each.question.type === type) as [AskedFields, ...AskedFields[]];
    const question = withPictures(Object.assign({}, ...forms.map((form) => form.question), forms[0].question) as Question);
    const changed: Record<string, unknown> = { ...changedPictures(question) };
    for (const form of forms.toReversed()) Object.assign(changed, form.changed, form.fixed);
    const schema = z.toJSONSchema(schemas[type].stored);
    expect(Object.keys(changed).sort()).toEqual(
      pathsIn(schema, "")
        .filter((path) => path !== "type")
        .sort(),
    );
    const withAll = (paths: string[]) => paths.reduce((made, path) => withField(made, path, changed[path]), question);
    const textWith = (paths: string[]) => textOfAsk(anAsk({ questions: [withAll(paths)] }));
    // Pairs that differ in one field: two random sets of a dozen fields hardly ever do.
    for (const path of Object.keys(changed)) {
      const others = fc.subarray(Object.keys(changed).filter((other) => other !== path));
      const property = fc.property(others, (paths) => {
        expect(textWith([...paths, path]), path).not.toBe(textWith(paths));
      });
      fc.assert(property);
    }
  });
});

describe("incoming answers", () => {
  const { answers } = anOutcome();

  test("are accepted if all are valid", () => {
    expect(validAnswers(aRecord(), { answers })).toEqual(answers);
  });

  test("are rejected with the first problem and the number of others", () => {
    const refused = (proposed: typeof answers) => {
      try {
        validAnswers(aRecord(), { answers: proposed });
      } catch (error) {
        if (error instanceof AskboxError) return [error.code, error.message, error.details];
      }
      return [];
    };
    const missing = (questionId: string) => ({ questionId, code: "required", message: "An answer is required." });
    expect(refused(answers.slice(1))).toEqual([
      "INVALID_ANSWER",
      "The answer is incomplete or invalid: An answer is required.",
      { issues: [missing("q_text")] },
    ]);
    expect(refused(answers.slice(2))).toEqual([
      "INVALID_ANSWER",
      "The answer is incomplete or invalid: An answer is required. (and 1 more)",
      { issues: [missing("q_text"), missing("q_select")] },
    ]);
  });
});

describe("waits", () => {
  test("are each woken by their session, but not after they have ended", () => {
    const waits = new Waits();
    const woken: string[] = [];
    const wake = (name: string) => (record: SessionRecord) => void woken.push(`${name} ${record.id}`);
    const [first, second] = [wake("first"), wake("second")];
    waits.add("a", first);
    waits.add("a", second);
    waits.add("b", wake("third"));
    expect([waits.has("a"), waits.has("c")]).toEqual([true, false]);
    waits.wake(settled(aRecord({ id: "a" })));
    waits.wake(settled(aRecord({ id: "c" })));
    expect(woken.splice(0)).toEqual(["first a", "second a"]);
    waits.remove("a", first);
    waits.wake(settled(aRecord({ id: "a" })));
    expect(woken.splice(0)).toEqual(["second a"]);
    waits.remove("a", second);
    expect(waits.has("a")).toBe(false);
  });

  test("continue unless there is a message the asker has not received", () => {
    const waits = new Waits();
    let woken = 0;
    waits.add("a", () => {
      woken += 1;
    });
    const message = { id: "m-1", text: "Why?", by: { surface: "web" as const }, at: 1 };
    waits.wake(aRecord({ id: "a" }));
    waits.wake(aRecord({ id: "a", thread: [{ ...message, deliveredAt: 2 }] }));
    expect([woken, waits.isAskedBack("a")]).toEqual([0, false]);
    waits.wake(aRecord({ id: "a", thread: [message] }));
    expect([woken, waits.isAskedBack("a")]).toEqual([1, true]);
    waits.forget("a");
    expect(waits.isAskedBack("a")).toBe(false);
  });

  test("that end twice take nothing from later ones", () => {
    const waits = new Waits();
    const wake = () => {};
    waits.add("a", wake);
    waits.remove("a", wake);
    waits.add("a", () => {});
    waits.remove("a", wake);
    expect(waits.has("a")).toBe(true);
  });
});

describe("retention", () => {
  const day = 86_400_000;
  const settling = 240_000;
  async function keeping(keepFor: number | null) {
    const clock = fakeClock();
    const store = memoryStore();
    const retention = new Retention({ store, clock, log: () => {}, keepFor });
    // By then the wall clock is trusted.
    await clock.advance(settling);
    const closed = async (ago: number, what: Partial<SessionRecord> = { delivery: { deliveredAt: 1 } }) => {
      const record = aRecord({ id: `closed ${ago} ago` });
      await store.insert(record);
      await store.replace({ ...settled(record, anOutcome({ at: clock.now() - ago })), ...what }, 1);
    };
    return { clock, closed, retention, left: async () => (await store.list({})).sessions.map((session) => session.id) };
  }

  test("removes sessions settled before the retention time, and reports how many", async () => {
    const { closed, left, retention } = await keeping(2 * day);
    await closed(2 * day);
    await closed(2 * day + 1);
    expect([await retention.sweep(), await left()]).toEqual([1, [`closed ${2 * day} ago`]]);
    expect(await retention.sweep()).toBe(0);
  });

  test("keeps everything for at least an hour, and forever if configured", async () => {
    const { closed, left, retention } = await keeping(1);
    await closed(3_600_000);
    await closed(3_600_001);
    expect([await retention.sweep(), await left()]).toEqual([1, ["closed 3600000 ago"]]);
    const forEver = await keeping(null);
    await forEver.closed(1_000 * day);
    expect([await forEver.retention.sweep(), await forEver.left()]).toEqual([0, [`closed ${1_000 * day} ago`]]);
  });

  // promise: undelivered-kept-longer
  test("keeps what its asker has not received for 7 more days", async () => {
    const { closed, left, retention } = await keeping(2 * day);
    for (const ago of [9 * day, 9 * day + 1]) await closed(ago, {});
    expect([await retention.sweep(), await left()]).toEqual([1, [`closed ${9 * day} ago`]]);
  });

  // promise: withdrawn-unseen-removed
  test("keeps sessions withdrawn before anybody saw them for a day", async () => {
    const { closed, left, retention } = await keeping(90 * day);
    const by = { surface: "asker" as const };
    const withdrawn = (at: number) => ({
      state: "cancelled" as const,
      delivery: { deliveredAt: at },
      context: { deadlineAt: null, outcome: { kind: "cancelled" as const, by, at } },
    });
    await closed(day, withdrawn(0));
    await closed(day + 1, withdrawn(0));
    await closed(day + 2, { ...withdrawn(0), seenAt: 1 });
    retention.sweepInBackground();
    expect(await left()).toHaveLength(3);
    expect([await retention.sweep(), (await left()).sort()]).toEqual([1, [`closed ${day + 2} ago`, `closed ${day} ago`].sort()]);
  });

  // promise: wall-clock-believed-late
  test("removes nothing after a wall clock jump until the clock has been steady for 4 minutes", async () => {
    const { clock, closed, left, retention } = await keeping(90 * day);
    await closed(0);
    clock.jumpWall(100 * day);
    expect(await retention.sweep()).toBe(0);
    await clock.advance(settling - 1);
    expect(await retention.sweep()).toBe(0);
    clock.jumpWall(-100 * day);
    await clock.advance(2 * day);
    expect([await retention.sweep(), await left()]).toEqual([0, ["closed 0 ago"]]);
    await clock.advance(90 * day);
    expect(await left()).toEqual([]);
  });

  // promise: wall-clock-believed-late
  test("removes nothing in the first 4 minutes after a start", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const record = aRecord();
    await store.insert(record);
    await store.replace(settled(record, anOutcome({ at: clock.now() })), 1);
    clock.jumpWall(100 * day);
    const retention = new Retention({ store, clock, log: () => {}, keepFor: 90 * day });
    expect(await retention.sweep()).toBe(0);
    await clock.advance(settling - 1);
    expect((await store.list({})).sessions).toHaveLength(1);
    await clock.advance(1);
    expect((await store.list({})).sessions).toHaveLength(0);
  });
});
