import type { Asker, Desk, SessionRecord } from "@askbox/core";
import { ada, anAsk, anAsker, earlierOf, validSet } from "@askbox/core/testing";
import type { Channel } from "@askbox/wire";
import { describe, expect, test } from "vitest";
import { askerHello, deskHello, drive, pairClient, relay, type TestHub, testHub } from "./support.ts";

const { answers } = validSet();

/** A hub whose connections all break before the `n`th frame is carried; optionally, the hub is then restarted. */
async function breakingHub(n: number, restarts: boolean) {
  const hub = await testHub();
  const cuts = new Set<() => void>();
  let frames = 0;
  let wasCut = false;
  const through = (channel: Channel) => {
    const { near, cut } = relay(channel, () => {
      frames += 1;
      if (frames !== n) return true;
      wasCut = true;
      for (const each of [...cuts]) each();
      cuts.clear();
      if (restarts) void hub.restart();
      return false;
    });
    cuts.add(cut);
    return near;
  };
  const asker = pairClient(hub, askerHello(), { through });
  const desk = pairClient(hub, deskHello(ada), { through });
  return { hub, asker, desk, wasCut: () => wasCut };
}

async function askAndWait(asker: Asker) {
  const { session, ack } = await asker.ask(anAsk(), { asker: anAsker() });
  await ack({ callId: "call-1" });
  return session;
}

async function answerWhatComes(desk: Desk) {
  const id = await new Promise<string>((resolve, reject) => {
    desk
      .watch({}, (event) => {
        const sessions = event.type === "snapshot" ? event.sessions : event.type === "session" ? [event.session] : [];
        for (const session of sessions) if (session.status === "pending") resolve(session.id);
      })
      .catch(reject);
  });
  return desk.answer(id, { answers, comment: "go on" });
}

async function allRecords(hub: TestHub) {
  const { sessions } = await hub.store.list({});
  return sessions;
}

describe.each([
  ["and the hub goes on", false],
  ["and the hub starts again", true],
])("if all connections break at any one frame %s", (_, restarts) => {
  // promise: operation-over-crash
  test("there is one session with one outcome, and both sides receive it", async () => {
    let n = 1;
    for (let goesOn = true; goesOn; n += 1) {
      const { hub, asker, desk, wasCut } = await breakingHub(n, restarts);
      const [settled, view] = await drive(hub.clock, Promise.all([askAndWait(asker.asker), answerWhatComes(desk.desk)]));

      const records = await allRecords(hub);
      expect(
        records.map(({ state }) => state),
        `cut at frame ${n}`,
      ).toEqual(["answered"]);
      expect(settled.context.outcome, `cut at frame ${n}`).toMatchObject({ kind: "answered", answers, comment: "go on", by: ada });
      expect(view.outcome, `cut at frame ${n}`).toEqual(settled.context.outcome);
      expect(records[0]?.delivery.callId, `cut at frame ${n}`).toBe("call-1");
      expect(await drive(hub.clock, earlierOf(asker.asker, anAsker())), `cut at frame ${n}`).toEqual([]);

      goesOn = wasCut();
      asker.close();
      desk.close();
      await hub.close();
    }
    // hello, welcome, watch, snapshot, reply, ask, opened, change, presence, answer, reply, outcome, ack, reply
    expect(n).toBeGreaterThan(14);
  });

  test("cancel, extend, recall, reply and withdraw take effect once, and succeed", async () => {
    type Act = (at: { asker: Asker; desk: Desk; id: string; hub: TestHub }) => Promise<unknown>;
    const acts: Record<string, [act: Act, leaves: (record: SessionRecord) => boolean]> = {
      cancel: [({ desk, id }) => desk.cancel(id, { reason: "not now" }), ({ state }) => state === "cancelled"],
      extend: [
        ({ desk, id }) => desk.extend(id, { timeout: 900_000 }),
        ({ context, createdAt }) => (context.deadlineAt ?? 0) >= createdAt + 900_000,
      ],
      unlimit: [({ desk, id }) => desk.extend(id, { timeout: null }), ({ context }) => context.deadlineAt === null],
      schedule: [({ desk, id }) => desk.answer(id, { answers }, { delay: 60_000 }), ({ state }) => state === "pending"],
      recall: [
        async ({ desk, id, hub }) => {
          await desk.answer(id, { answers }, { delay: 60_000 });
          await desk.recall(id);
          await hub.clock.advance(61_000);
        },
        ({ state }) => state === "pending",
      ],
      draft: [
        async ({ desk, id }) => {
          const saved = await desk.saveDraft(id, { fields: { q_text: { values: ["la"] } } });
          expect(await desk.getDraft(id)).toEqual(saved);
        },
        ({ state }) => state === "pending",
      ],
      withdraw: [
        ({ asker, id }) => asker.withdraw(id, { reason: "done without" }),
        ({ context }) => context.outcome?.by.surface === "asker",
      ],
      reply: [
        async ({ desk, id, hub }) => {
          await hub.clock.advance(300_000);
          await desk.reply(id, { answers, comment: "sorry" });
        },
        ({ state, reply }) => state === "timedOut" && reply?.comment === "sorry",
      ],
    };
    for (const [name, [act, leaves]] of Object.entries(acts)) {
      for (let n = 1, goesOn = true; goesOn; n += 1) {
        const { hub, asker, desk, wasCut } = await breakingHub(n, restarts);
        const run = async () => {
          const { session } = await asker.asker.ask(anAsk(), { asker: anAsker(), maxWait: 0 });
          await act({ asker: asker.asker, desk: desk.desk, id: session.id, hub });
        };
        await drive(
          hub.clock,
          run().catch((error: unknown) => Promise.reject(new Error(`${name}, cut at frame ${n}: ${String(error)}`))),
        );
        const records = await allRecords(hub);
        expect(records.map(leaves), `${name}, cut at frame ${n}`).toEqual([true]);
        goesOn = wasCut();
        asker.close();
        desk.close();
        await hub.close();
      }
    }
  });
});
