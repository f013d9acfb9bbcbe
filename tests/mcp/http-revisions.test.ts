import { type FakeClock, fakeClock } from "@askbox/core/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../requirements/requirement.ts";
import { connect, startHub, ways, yes } from "./harness/revisions.ts";

/** A client's timeout, in ms. */
const timeout = 60_000;

class Timer {
  readonly cancel: () => void;
  constructor(cancel: () => void) {
    this.cancel = cancel;
  }
  ref = () => this;
  unref = () => this;
  refresh = () => this;
}

/** The timers of the clients from now on, for a test to move: they are in this process. */
function clientTimers(): FakeClock {
  const clock = fakeClock();
  const { clearTimeout } = globalThis;
  const set = (callback: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) =>
    new Timer(clock.setTimer(delay, () => callback(...args)));
  vi.stubGlobal("setTimeout", set);
  vi.stubGlobal("clearTimeout", (timer?: Timer | NodeJS.Timeout) => (timer instanceof Timer ? timer.cancel() : clearTimeout(timer)));
  onTestFinished(() => void vi.unstubAllGlobals());
  return clock;
}

describe.each(ways)("over HTTP, SDK $sdk at revision $revision", (way) => {
  const resumes = way.revision !== "2024-11-05" && way.revision !== "2026-07-28";

  test("a call of 70 s outlasts its client's timeout of 60 s with progress, and is answered", async () => {
    const hub = await startHub(onTestFinished);
    const ask = await connect(way, hub);
    const timers = clientTimers();
    let received = 0;
    const result = ask({
      timeout,
      onprogress: () => {
        received += 1;
      },
    });
    const { id } = await hub.nextSession();
    for (let passed = 0; passed < 70_000; passed += 10_000) {
      const before = received;
      await timers.advance(10_000);
      await hub.clock.advance(10_000);
      await eventually(async () => received > before || undefined, "progress arrives");
    }
    await hub.desk.answer(id, yes);
    expect(await result).toMatchObject({ answered: true });
  });

  test("a call that its client cancels leaves its questions open, and the same ask continues with them", async () => {
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

  test.runIf(resumes)("a call whose stream is cut is resumed by its client, and gets what was answered in the meantime", async () => {
    const hub = await startHub(onTestFinished);
    const cut = new AbortController();
    const ask = await connect(way, hub, cut.signal);
    const timers = clientTimers();
    const begun = Promise.withResolvers<void>();
    const result = ask({ timeout: 10 * timeout, onprogress: begun.resolve });
    const { id } = await hub.nextSession();
    await begun.promise;
    cut.abort();
    await hub.desk.answer(id, yes);
    let isBack = false;
    void result.finally(() => {
      isBack = true;
    });
    // The hub tells clients to come back after 5 s.
    await eventually(async () => {
      await timers.advance(100);
      return isBack || undefined;
    }, "the client has come back");
    expect(await result).toMatchObject({ answered: true, sessionId: id });
    await eventually(async () => (await hub.desk.get(id)).delivery.deliveredAt ?? undefined, "it is delivered");
  });

  test.runIf(way.revision === "2026-07-28")(
    "a call whose stream is cut fails, and the same ask gets what was answered in the meantime",
    async () => {
      const hub = await startHub(onTestFinished);
      const cut = new AbortController();
      const begun = Promise.withResolvers<void>();
      // A stream that ends without a result is not reported to this SDK, so it times out.
      const ask = await connect(way, hub, cut.signal);
      const timers = clientTimers();
      const call = ask({ timeout, onprogress: begun.resolve });
      const { id } = await hub.nextSession();
      await begun.promise;
      const failed = expect(call).rejects.toThrow();
      cut.abort();
      await timers.advance(timeout);
      await failed;
      await eventually(async () => (await hub.desk.get(id)).presence.asker === "away" || undefined, "the asker is away");
      await hub.desk.answer(id, yes);
      expect(await (await connect(way, hub))({})).toMatchObject({ answered: true, late: true, sessionId: id });
    },
  );
});
