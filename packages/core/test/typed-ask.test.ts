import {
  type AnswerSet,
  approval,
  ask,
  askForEnding,
  confirm,
  createBroker,
  date,
  type Ending,
  memoryStore,
  multiSelect,
  number,
  ranking,
  rating,
  select,
  type ThreadMessage,
  text,
  type Values,
} from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const everything = {
  name: text("What is it called?"),
  style: select("Style?", ["a", { label: "B", value: "b" }, { label: "c" }], { allowOther: false }),
  place: select("Where?", ["here", "there"]),
  platforms: multiSelect("Platforms?", ["linux", "macos"]),
  deploy: confirm("Deploy?"),
  workers: number("How many?", { integer: true, min: 1 }),
  day: date("When?"),
  mood: rating("How was it?", { max: 5 }),
  note: text("Anything else?", { required: false }),
  again: confirm("Again?", { required: false }),
};

/** Whether both types are identical. */
type Same<Left, Right> = (<Type>() => Type extends Left ? 1 : 2) extends <Type>() => Type extends Right ? 1 : 2 ? true : false;
const same = <Left, Right>(_same: Same<Left, Right>) => {};

/** An asker whose questions are answered as soon as they are open. */
async function answeredBy(settle: (desk: ReturnType<Awaited<ReturnType<typeof createBroker>>["desk"]>, id: string) => Promise<unknown>) {
  const platform = testPlatform();
  const store = memoryStore();
  const broker = await createBroker({ store, ...platform });
  const desk = broker.desk({ surface: "web", name: "Ada" });
  const seen = new Set<string>();
  await desk.watch({}, (event) => {
    if (event.type !== "session" || event.session.status !== "pending" || seen.has(event.session.id)) return;
    seen.add(event.session.id);
    void settle(desk, event.session.id);
  });
  return { asker: broker.asker("program"), clock: platform.clock, desk, store };
}

const answers = (byQuestion: Record<string, string[]>, more: Partial<AnswerSet> = {}): AnswerSet => ({
  answers: Object.entries(byQuestion).map(([questionId, values]) => ({ questionId, values })),
  ...more,
});

describe("a typed ask", () => {
  test("returns the answers as typed values, under the names of their questions", async () => {
    const { asker } = await answeredBy((desk, id) =>
      desk.answer(id, {
        answers: [
          ...answers({
            name: ["lathe"],
            style: ["b"],
            deploy: ["yes"],
            workers: ["8"],
            day: ["2026-11-22"],
            mood: ["4"],
          }).answers,
          { questionId: "place", values: [], customText: "elsewhere" },
          { questionId: "platforms", values: ["linux"], customText: "Plan 9" },
        ],
      }),
    );
    const values = await ask(asker, everything);
    same<typeof values.name, string>(true);
    same<typeof values.style, "a" | "b" | "c">(true);
    same<typeof values.place, string>(true);
    same<typeof values.platforms, string[]>(true);
    same<typeof values.deploy, boolean>(true);
    same<typeof values.workers, number>(true);
    same<typeof values.day, string>(true);
    same<typeof values.mood, number>(true);
    same<typeof values.note, string | undefined>(true);
    same<typeof values.again, boolean | undefined>(true);
    expect(values).toEqual({
      name: "lathe",
      style: "b",
      place: "elsewhere",
      platforms: ["linux", "Plan 9"],
      deploy: true,
      workers: 8,
      day: "2026-11-22",
      mood: 4,
      note: undefined,
      again: undefined,
    });
  });

  test("returns a ranking as the options' values in order", async () => {
    const { asker } = await answeredBy((desk, id) => desk.answer(id, answers({ first: ["price", "speed"] })));
    const { first } = await ask(asker, { first: ranking("What first?", ["speed", { label: "Price", value: "price" }]) });
    same<typeof first, ("speed" | "price")[]>(true);
    expect(first).toEqual(["price", "speed"]);
  });

  test("returns whether an action is allowed, why not, and what the person changed", async () => {
    const action = { kind: "tool", tool: "mail", input: { to: "all" } } as const;
    const byQuestion = {
      once: { values: ["allow"] },
      project: { values: ["project:7d"] },
      never: { values: ["deny"], customText: "Too many" },
      changed: { values: ["allow"], input: { to: "Ada" } },
    };
    const { asker } = await answeredBy((desk, id) =>
      desk.answer(id, { answers: Object.entries(byQuestion).map(([questionId, answer]) => ({ questionId, ...answer })) }),
    );
    const asked = {
      once: approval("Send it?", action),
      project: approval("Send it?", action, { grants: ["project"] }),
      never: approval("Send it?", action),
      changed: approval("Send it?", action, { editable: true }),
    };
    const decided = await ask(asker, asked, { asker: { client: { name: "mailer" }, project: "/srv/mail" } });
    same<typeof decided.once, { allowed: boolean; reason: string | undefined; input: Record<string, unknown> | undefined }>(true);
    const nothing = { reason: undefined, input: undefined };
    expect(decided).toEqual({
      once: { ...nothing, allowed: true },
      project: { ...nothing, allowed: true },
      never: { ...nothing, allowed: false, reason: "Too many" },
      changed: { ...nothing, allowed: true, input: { to: "Ada" } },
    });
  });

  test("has its answer delivered, and asks in the given name", async () => {
    const { asker, store } = await answeredBy((desk, id) => desk.answer(id, answers({ deploy: ["no"] })));
    const options = { asker: { client: { name: "deployer" } }, title: "Release", timeout: 60_000 };
    expect(await ask(asker, { deploy: confirm("Deploy?") }, options)).toEqual({ deploy: false });
    const { sessions } = await store.list({});
    expect(sessions).toMatchObject([{ asker: options.asker, request: { title: "Release", timeout: 60_000 } }]);
    expect(sessions[0]?.delivery.deliveredAt).not.toBeNull();
  });

  test("throws if it was cancelled, with the reason, or if nobody answered", async () => {
    const { asker } = await answeredBy((desk, id) => desk.cancel(id, { reason: "not on a Friday" }));
    await expect(ask(asker, { deploy: confirm("Deploy?") })).rejects.toMatchObject({
      code: "CANCELLED",
      message: "Cancelled: not on a Friday",
      details: { reason: "not on a Friday", by: { surface: "web" } },
    });
    const silent = await answeredBy(async () => {});
    const asking = ask(silent.asker, { deploy: confirm("Deploy?") }, { timeout: 10_000 });
    const refused = expect(asking).rejects.toMatchObject({ code: "TIMED_OUT", details: { seen: false } });
    await silent.clock.advance(10_000);
    await refused;
  });

  test("lets a program handle each ending itself", async () => {
    const asked = { deploy: confirm("Deploy?") };
    const kinds: Ending<typeof asked>["kind"][] = [];
    for (const settle of [
      async (desk: { answer(id: string, set: AnswerSet): Promise<unknown> }, id: string) =>
        desk.answer(id, answers({ deploy: ["yes"] }, { comment: "go" })),
      async (desk: { cancel(id: string): Promise<unknown> }, id: string) => desk.cancel(id),
      async () => {},
    ]) {
      const { asker, clock } = await answeredBy(settle);
      const asking = askForEnding(asker, asked, { timeout: 10_000 });
      await clock.advance(10_000);
      const ending = await asking;
      kinds.push(ending.kind);
      if (ending.kind === "answered") {
        same<typeof ending.values, Values<typeof asked>>(true);
        same<typeof ending.values, { deploy: boolean }>(true);
        expect([ending.values, ending.comment, ending.by.name]).toEqual([{ deploy: true }, "go", "Ada"]);
      }
      if (ending.kind === "cancelled") expect(ending.reason).toBeUndefined();
      if (ending.kind === "timed_out") expect(ending.seen).toBe(false);
    }
    expect(kinds).toEqual(["answered", "cancelled", "timed_out"]);
  });

  test("replies when a person asks back, or says that it is a program, and continues waiting", async () => {
    const asked = { deploy: confirm("Deploy?") };
    for (const [onAskedBack, reply] of [
      [(messages: readonly ThreadMessage[]) => `You asked: ${messages[0]?.text}`, "You asked: Why?"],
      [undefined, "This question comes from a program, which cannot reply. Answer it as it is, or decline it."],
    ] as const) {
      const { asker, desk, store } = await answeredBy((person, id) => person.askBack(id, { text: "Why?" }));
      let isReplied = false;
      await desk.watch({}, (event) => {
        if (isReplied || event.type !== "session" || event.session.thread?.length !== 2) return;
        isReplied = true;
        void desk.answer(event.session.id, answers({ deploy: ["yes"] }));
      });
      expect(await ask(asker, asked, { onAskedBack })).toEqual({ deploy: true });
      expect((await store.list({})).sessions[0]?.thread.map(({ text }) => text)).toEqual(["Why?", reply]);
    }
  });

  test("leaves the reply to a program that handles each ending itself", async () => {
    const asked = { deploy: confirm("Deploy?") };
    const { asker, desk } = await answeredBy((person, id) => person.askBack(id, { text: "Why?" }));
    const ending = await askForEnding(asker, asked);
    if (ending.kind !== "askedBack") throw new Error(`It ended as ${ending.kind}.`);
    expect(ending.messages).toMatchObject([{ text: "Why?", by: { surface: "web", name: "Ada" } }]);
    const next = ending.reply("Because.");
    await desk.answer(ending.session.id, answers({ deploy: ["no"] }));
    expect(await next).toMatchObject({ kind: "answered", values: { deploy: false } });
  });

  test("rejects invalid questions as any ask does", async () => {
    const { asker } = await answeredBy(async () => {});
    await expect(ask(asker, { style: select("Style?", []) })).rejects.toMatchObject({ code: "VALIDATION" });
    await expect(ask(asker, {})).rejects.toMatchObject({ code: "VALIDATION" });
  });
});
