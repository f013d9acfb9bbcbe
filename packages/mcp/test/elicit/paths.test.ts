import { describe, expect, test } from "vitest";
import { connect, eras, pendingOf, type Shown, textOf, wizard } from "./support.ts";

const answers: Record<string, unknown>[] = [{ name: "Ada" }, { color: "green" }, { count: 3 }];

describe.each(eras)("a wizard of three steps in a client of %s", (era) => {
  test("is filled in in the client's own form, step by step, and orders once", async () => {
    const counts = { runs: 0, orders: 0 };
    const shown: Shown[] = [];
    const { call } = await connect({
      era,
      register: (server) => wizard(server, counts),
      person: (form) => ({ action: "accept", content: answers[shown.push(form) - 1] }),
    });
    expect(textOf(await call("wizard", { topic: "tea" }))).toBe("3 green for Ada, order 1");
    expect(shown.map(({ message }) => message)).toEqual(["Step 1 of tea: who are you?", "Hi Ada, order 1: which colour?", "And how many?"]);
    expect(shown[1]?.requestedSchema?.properties).toEqual({ color: { type: "string", enum: ["red", "green"] } });
    expect(counts).toEqual({ runs: era === "2026-07-28" ? 4 : 1, orders: 1 });
  });

  test("goes through the model where the client shows no forms, and orders once", async () => {
    const counts = { runs: 0, orders: 0 };
    const { call } = await connect({ era, register: (server) => wizard(server, counts) });
    let result = await call("wizard", { topic: "tea" });
    for (const content of answers) {
      result = await call("sendElicitationResult", { elicitId: pendingOf(result).elicitId, action: "accept", content });
    }
    expect(textOf(result)).toBe("3 green for Ada, order 1");
    expect(counts).toEqual({ runs: 4, orders: 1 });
  });

  test.each(["decline", "cancel"] as const)("ends where its person says %s", async (action) => {
    const counts = { runs: 0, orders: 0 };
    const { call } = await connect({
      era,
      register: (server) => wizard(server, counts),
      person: ({ message }) => (message.startsWith("Hi") ? { action } : { action: "accept", content: { name: "Ada" } }),
    });
    expect(textOf(await call("wizard", { topic: "tea" }))).toBe(`stopped at 2: ${action}`);
  });
});
