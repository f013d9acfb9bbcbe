import { ada, bob, fakeClock } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { PresenceTracker } from "../../src/broker/presence.ts";
import type { PresenceFacts } from "../../src/broker/several-hubs.ts";

const start = 1_700_000_000_000;

function aBook() {
  const clock = fakeClock({ now: start });
  const told: string[] = [];
  const elsewhere = new Map<string, PresenceFacts[]>();
  const book = new PresenceTracker({
    clock,
    onChange: (id) => void told.push(id),
    onFacts: (id) => void told.push(`facts of ${id}`),
    elsewhere: (id) => elsewhere.get(id) ?? [],
  });
  /** What was reported since the last call. */
  const events = () => told.splice(0);
  return { book, clock, elsewhere, events, holder: {}, other: {} };
}

const changed = ["facts of a", "a"];

describe("presence at a session", () => {
  test("is initially empty, and the asker has been away since the hub started", async () => {
    const { book, clock } = aBook();
    await clock.advance(1_000);
    expect(book.of("a")).toEqual({ asker: "away", awaySince: start, openIn: [] });
    expect([book.factsOf("a"), book.isDetached("a"), [...book.sessions()], book.waiting]).toEqual([undefined, true, [], 0]);
  });

  test("includes an asker that is about to wait, for 10 s", async () => {
    const { book, clock, holder, events, other } = aBook();
    expect(book.claim("a", holder)).toBe(true);
    expect(events()).toEqual(changed);
    expect(book.claim("a", other)).toBe(false);
    expect([book.isDetached("a"), book.factsOf("a")]).toEqual([false, { asker: "attached", isWaiting: false, openIn: [] }]);
    await clock.advance(9_999);
    expect(book.of("a").asker).toBe("attached");
    await clock.advance(1);
    expect(book.of("a")).toEqual({ asker: "away", awaySince: start + 10_000, openIn: [] });
    expect([events(), book.isDetached("a")]).toEqual([changed, true]);
  });

  test("ends for an asker about to wait if it leaves, which only its holder, or a request without a holder, can report", () => {
    const { book, clock, holder, events, other } = aBook();
    book.claim("a", holder);
    book.claim("b", holder);
    book.claim("c", other);
    events();
    book.unclaim("a", other);
    book.unclaim("nobody");
    expect([events(), book.isDetached("a")]).toEqual([[], false]);
    book.unclaim("a", holder);
    book.unclaim("a", holder);
    expect([events(), book.isDetached("a")]).toEqual([changed, true]);
    book.unclaimAllOf(holder);
    book.unclaimAllOf({});
    expect([book.isDetached("b"), book.isDetached("c")]).toEqual([true, false]);
    book.unclaim("c");
    expect([book.isDetached("c"), clock.pendingTimers()]).toEqual([true, 0]);
  });

  test("includes a waiting asker, until its last wait ends", async () => {
    const { book, clock, holder, events } = aBook();
    book.claim("a", holder);
    events();
    const end = book.attach("a");
    expect([events(), book.waiting, clock.pendingTimers()]).toEqual([changed, 1, 0]);
    const endOther = book.attach("a");
    expect(book.factsOf("a")).toEqual({ asker: "attached", isWaiting: true, openIn: [] });
    expect([book.waiting, book.claim("a", holder)]).toEqual([2, false]);
    await clock.advance(500);
    end("away");
    end("away");
    expect([book.waiting, book.of("a").asker, book.isDetached("a")]).toEqual([1, "attached", false]);
    events();
    endOther("away");
    expect([events(), book.waiting, book.isDetached("a")]).toEqual([changed, 0, true]);
    expect(book.factsOf("a")).toEqual({ asker: "away", awaySince: start + 500, isWaiting: false, openIn: [] });
  });

  test("counts an asker that left with a ticket as expected back, for two minutes", async () => {
    const { book, clock, events } = aBook();
    const end = book.attach("a");
    await clock.advance(500);
    end("ticket");
    events();
    expect(book.factsOf("a")).toEqual({ asker: "will_ask_again", isWaiting: false, openIn: [] });
    expect([book.of("a").asker, book.isDetached("a")]).toEqual(["will_ask_again", true]);
    await clock.advance(119_999);
    expect([book.of("a").asker, events()]).toEqual(["will_ask_again", []]);
    await clock.advance(1);
    expect([book.of("a"), events()]).toEqual([{ asker: "away", awaySince: start + 500, openIn: [] }, changed]);
  });

  test("does not expect an asker back once it waits again, or while another wait runs", async () => {
    const { book, clock } = aBook();
    const end = book.attach("a");
    const endOther = book.attach("a");
    end("ticket");
    expect(clock.pendingTimers()).toBe(0);
    endOther("ticket");
    expect(clock.pendingTimers()).toBe(1);
    book.attach("a");
    expect([clock.pendingTimers(), book.of("a").asker]).toEqual([0, "attached"]);
  });

  test("expects an asker back two minutes after each poll, and only reports the first", async () => {
    const { book, clock, holder, events } = aBook();
    book.expect("a");
    expect([events(), book.of("a").asker]).toEqual([changed, "will_ask_again"]);
    await clock.advance(100_000);
    book.expect("a");
    expect([events(), clock.pendingTimers()]).toEqual([[], 1]);
    await clock.advance(119_999);
    expect(book.of("a").asker).toBe("will_ask_again");
    book.claim("a", holder);
    events();
    book.expect("a");
    expect([events(), book.of("a").asker, clock.pendingTimers()]).toEqual([changed, "will_ask_again", 1]);
    await clock.advance(120_000);
    expect(book.of("a")).toEqual({ asker: "away", awaySince: start + 219_999, openIn: [] });
  });

  test("includes those who have it open, a person in two tabs twice, until each leaves", () => {
    const { book, events } = aBook();
    const leave = book.attend("a", ada);
    expect([events(), book.factsOf("a")]).toEqual([changed, { asker: "away", isWaiting: false, openIn: [ada] }]);
    const leaveToo = book.attend("a", ada);
    book.attend("a", bob);
    expect(book.of("a").openIn).toEqual([ada, ada, bob]);
    events();
    leave();
    leave();
    expect([events(), book.of("a").openIn]).toEqual([changed, [ada, bob]]);
    leaveToo();
    expect(book.of("a").openIn).toEqual([bob]);
  });

  test("is forgotten when the last one leaves", () => {
    const { book } = aBook();
    const leave = book.attend("a", ada);
    expect([...book.sessions()]).toEqual(["a"]);
    leave();
    expect([[...book.sessions()], book.factsOf("a")]).toEqual([[], undefined]);
    const again = book.attend("a", bob);
    leave();
    expect(book.of("a").openIn).toEqual([bob]);
    again();
    book.attach("b");
    book.attend("b", ada);
    expect([...book.sessions()]).toEqual(["b"]);
  });

  test("includes people at any hub; the asker's absence is the shortest of all hubs", () => {
    const { book, elsewhere } = aBook();
    const away: PresenceFacts = { asker: "away", isWaiting: false, openIn: [] };
    elsewhere.set("a", [
      { ...away, awaySince: start + 7 },
      { ...away, awaySince: start + 9, openIn: [bob] },
      { ...away, awaySince: start + 8 },
    ]);
    book.attend("a", ada);
    expect(book.of("a")).toEqual({ asker: "away", awaySince: start + 9, openIn: [ada, bob] });
    elsewhere.set("a", [away, { ...away, asker: "will_ask_again" }]);
    expect(book.of("a")).toEqual({ asker: "will_ask_again", openIn: [ada] });
    elsewhere.set("a", [
      { ...away, asker: "will_ask_again" },
      { ...away, asker: "attached" },
    ]);
    expect(book.of("a").asker).toBe("attached");
  });

  test("no longer includes the asker once the session is forgotten, but whoever has it open", () => {
    const { book, clock, holder, events } = aBook();
    book.claim("a", holder);
    book.attend("a", ada);
    book.attach("b")("ticket");
    events();
    book.forgetAsker("a");
    book.forgetAsker("nobody");
    expect([events(), book.of("a").openIn]).toEqual([["facts of a"], [ada]]);
    expect(clock.pendingTimers()).toBe(1);
    book.close();
    expect([clock.pendingTimers(), [...book.sessions()]]).toEqual([0, []]);
  });
});
