import { parseAsk, type SessionStore } from "@askbox/core";
import type { Image, TakeImages } from "@askbox/core/stores";
import { anAsker, testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { traitsOf } from "../../src/session/questions/index.ts";
import { aHub } from "./support.ts";

const stored = (name: string, alt?: string): Image => ({
  name,
  mimeType: "image/png",
  size: 9,
  sha256: name.padEnd(64, "0"),
  width: 3,
  height: 2,
  ...(alt && { alt }),
});

/** Takes every picture under the name that it was sent with, and notes what happens in which order. */
function aTaker() {
  const events: string[] = [];
  const take: TakeImages = async (owner, images) => {
    events.push(`take ${owner}: ${images.map(({ src }) => src).join(" ")}`);
    return {
      images: images.map(({ src, alt }) => stored(src, alt)),
      keep: async (sessionId) => void events.push(`keep ${sessionId}`),
    };
  };
  return { take, events };
}

const two = {
  questions: [
    { question: "Which?", images: ["plan", { src: "old", alt: "As it is now" }], options: [{ label: "A", images: ["a"] }, { label: "B" }] },
    { question: "And this?", images: ["plan"] },
  ],
};
const asking = (input: unknown) => parseAsk(input, { ids: testPlatform().ids });

describe("the pictures of an ask", () => {
  test("are replaced by what is stored of them, which is kept before the session is", async () => {
    const { take, events } = aTaker();
    const insert =
      (memory: SessionStore): SessionStore["insert"] =>
      (record) => {
        events.push(`insert ${record.id}`);
        return memory.insert(record);
      };
    const hub = await aHub((memory) => ({ insert: insert(memory) }), { images: take });
    const { session } = await hub.opened(asking(two));
    const [which, and] = session.request.questions;
    expect(which).toMatchObject({
      images: [stored("plan"), stored("old", "As it is now")],
      options: [{ value: "A", images: [stored("a")] }, { value: "B" }],
    });
    expect(and?.images).toEqual([stored("plan")]);
    expect(events).toEqual(["take owner-1: plan old a plan", `keep ${session.id}`, `insert ${session.id}`]);
    expect(traitsOf(session.request.questions[0] as never).readFirst, "nothing that can't show them takes an answer").toBe(true);
  });

  test("belong to the question: the same question with another picture, or another text for it, is another", async () => {
    const { take, events } = aTaker();
    const hub = await aHub(undefined, { images: take });
    const ask = (src: string, alt?: string) =>
      hub.asker.ask(asking({ questions: [{ question: "Ship?", images: [{ src, alt }] }] }), { asker: anAsker(), maxWait: 0 });
    const first = await ask("a");
    await hub.clock.advance(60_000);
    const again = await ask("a");
    expect([again.joined, again.session.id]).toEqual([true, first.session.id]);
    for (const other of [await ask("b"), await ask("a", "Blue")]) expect(other.joined).toBe(false);
    expect(events.filter((event) => event.startsWith("keep"))).toHaveLength(3);
  });

  test("may be sent again with their request", async () => {
    const hub = await aHub(undefined, { images: aTaker().take });
    const request = asking(two);
    const once = () => hub.asker.ask(request, { asker: anAsker(), maxWait: 0, idempotencyKey: "one" });
    const [first, second] = [await once(), await once()];
    expect(second.session).toEqual(first.session);
  });

  test("that cannot be kept open no session", async () => {
    const keep = async () => {
      throw new Error("The disk is full.");
    };
    const hub = await aHub(undefined, { images: async (_owner, images) => ({ images: images.map(({ src }) => stored(src)), keep }) });
    await expect(hub.opened(asking(two))).rejects.toThrow("The disk is full.");
    expect((await hub.store.list({ limit: 10 })).sessions).toEqual([]);
  });

  test.each([
    [
      "more than 10 for a question",
      { images: Array.from({ length: 11 }, String) },
      "A question or an option may have at most 10 pictures.",
    ],
    [
      "more than 50 in an ask",
      { options: Array.from({ length: 6 }, (_, index) => ({ label: String(index), images: Array.from({ length: 9 }, String) })) },
      "One ask may have at most 50 pictures; this one has 54.",
    ],
    ["a long alternative text", { images: [{ src: "a", alt: "x".repeat(501) }] }, "A picture's alt must be at most 500 characters long."],
  ])("are refused: %s", async (_what, question, message) => {
    const hub = await aHub(undefined, { images: aTaker().take });
    await expect(hub.opened(asking({ questions: [{ question: "Ship?", ...question }] }))).rejects.toMatchObject({
      code: "VALIDATION",
      message,
    });
  });

  test("are refused where none can be stored, and questions without any are not", async () => {
    const hub = await aHub();
    await expect(hub.opened(asking(two))).rejects.toMatchObject({
      code: "VALIDATION",
      message: "Pictures cannot be shown with questions here.",
    });
    expect((await hub.opened(asking({ questions: [{ question: "Ship?", images: [] }] }))).session.state).toBe("pending");
  });

  test("are named by what they are sent as, and nothing else", () => {
    const refused = (images: unknown) => () => asking({ questions: [{ question: "Ship?", images }] });
    expect(refused([{ ...stored("a") }])).toThrow("questions[0].images[0].src");
    expect(refused([7])).toThrow("questions[0].images[0]");
    expect(refused({})).toThrow("questions[0].images");
  });
});
