import { describe, expect, test } from "vitest";
import { eventually } from "../requirements/requirement.ts";
import { connect, startHub, ways, yes } from "./harness/revisions.ts";

/** A client that times out after 60 s without progress, and a call of 70 s, both shortened in proportion: in ms, and in beats of 10 s. */
const timeout = 2_400;
const heartbeats = 7;

describe.concurrent.each(ways)("over HTTP, SDK $sdk at revision $revision", (way) => {
  const resumes = way.revision !== "2024-11-05" && way.revision !== "2026-07-28";

  test("a call of 70 s outlasts its client's timeout of 60 s with progress, and is answered", async ({ onTestFinished }) => {
    const hub = await startHub(onTestFinished);
    const ask = await connect(way, hub);
    let received = 0;
    const result = ask({
      timeout,
      onprogress: () => {
        received += 1;
      },
    });
    const { id } = await hub.nextSession();
    const begun = performance.now();
    for (let beat = 1; beat <= heartbeats; beat += 1) {
      const before = received;
      await hub.clock.advance(10_000);
      await eventually(async () => received > before || undefined, "progress arrives");
      await eventually(async () => performance.now() > begun + (beat * timeout) / 6 || undefined, "its time passes");
    }
    expect(performance.now() - begun).toBeGreaterThan(timeout);
    await hub.desk.answer(id, yes);
    expect(await result).toMatchObject({ answered: true });
  });

  test("a call that its client cancels leaves its questions open, and the same ask continues with them", async ({ onTestFinished }) => {
    const hub = await startHub(onTestFinished);
    const ask = await connect(way, hub);
    const cancel = new AbortController();
    const begun = Promise.withResolvers<void>();
    const call = ask({ signal: cancel.signal, onprogress: begun.resolve });
    const { id } = await hub.nextSession();
    await begun.promise;
    cancel.abort();
    await expect(call).rejects.toThrow();
    const presence = async () => (await hub.desk.get(id)).presence.asker;
    await eventually(async () => (await presence()) === "away" || undefined, "the asker is away");
    const again = ask({});
    await eventually(async () => (await presence()) === "attached" || undefined, "the asker is back");
    await hub.desk.answer(id, yes);
    expect(await again).toMatchObject({ answered: true, sessionId: id });
  });

  test.runIf(resumes)(
    "a call whose stream is cut is resumed by its client, and gets what was answered in the meantime",
    async ({ onTestFinished }) => {
      const hub = await startHub(onTestFinished);
      const cut = new AbortController();
      const ask = await connect(way, hub, cut.signal);
      const begun = Promise.withResolvers<void>();
      const result = ask({ timeout: 20_000, onprogress: begun.resolve });
      const { id } = await hub.nextSession();
      await begun.promise;
      cut.abort();
      await hub.desk.answer(id, yes);
      expect(await result).toMatchObject({ answered: true, sessionId: id });
      await eventually(async () => (await hub.desk.get(id)).delivery.deliveredAt ?? undefined, "it is delivered");
    },
  );

  test.runIf(way.revision === "2026-07-28")(
    "a call whose stream is cut fails, and the same ask gets what was answered in the meantime",
    async ({ onTestFinished }) => {
      const hub = await startHub(onTestFinished);
      const cut = new AbortController();
      const begun = Promise.withResolvers<void>();
      // A stream that ends without a result is not reported to this SDK, so it times out.
      const call = (await connect(way, hub, cut.signal))({ timeout: 2_000, onprogress: begun.resolve });
      const { id } = await hub.nextSession();
      await begun.promise;
      const failed = expect(call).rejects.toThrow();
      cut.abort();
      await failed;
      await eventually(async () => (await hub.desk.get(id)).presence.asker === "away" || undefined, "the asker is away");
      await hub.desk.answer(id, yes);
      expect(await (await connect(way, hub))({})).toMatchObject({ answered: true, late: true, sessionId: id });
    },
  );
});
