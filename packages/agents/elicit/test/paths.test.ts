import type { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type ElicitOptions, elicit } from "../src/index.ts";
import { connect, eras, pendingOf, type Shown, said, textOf, wizard } from "./support.ts";

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
    expect(shown[1]?.requestedSchema?.properties).toEqual({ color: { title: "color", type: "string", enum: ["red", "green"] } });
    expect(counts).toEqual({ runs: era === "2026-07-28" ? 4 : 1, orders: 1 });
  });

  test("uses the model if the client shows no forms, and orders once", async () => {
    const counts = { runs: 0, orders: 0 };
    const { call } = await connect({ era, register: (server) => wizard(server, counts) });
    let result = await call("wizard", { topic: "tea" });
    for (const content of answers) {
      result = await call("sendElicitationResult", { elicitId: pendingOf(result).elicitId, action: "accept", content });
    }
    expect(textOf(result)).toBe("3 green for Ada, order 1");
    expect(counts).toEqual({ runs: 4, orders: 1 });
  });

  test.each(["decline", "cancel"] as const)("ends if its person responds with %s", async (action) => {
    const counts = { runs: 0, orders: 0 };
    const { call } = await connect({
      era,
      register: (server) => wizard(server, counts),
      person: ({ message }) => (message.startsWith("Hi") ? { action } : { action: "accept", content: { name: "Ada" } }),
    });
    expect(textOf(await call("wizard", { topic: "tea" }))).toBe(`stopped at 2: ${action}`);
  });
});

describe("the allowed ways", () => {
  const ask = (options?: ElicitOptions) => (server: McpServer) =>
    void server.registerTool("ask", {}, async (ctx) => said(await elicit(ctx, "?", z.object({}), options).then(({ by }) => by, String)));
  // Never reached: the choice is visible before anybody is asked.
  const asker = () => Promise.reject(new Error("the inbox was asked"));

  test.each(eras)("do not include the model with an inbox, in %s", async (era) => {
    const { call, client } = await connect({ era, register: ask(), asker });
    expect(textOf(await call("ask"))).toContain("the inbox was asked");
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["ask"]);
  });

  test("include the model with an inbox only if the author allows it", async () => {
    const byTable = await connect({ register: ask(), asker, clients: { "some-client": "model" } });
    expect(textOf(await byTable.call("ask"))).toContain("the inbox was asked");
    const byPaths = await connect({ register: ask(), asker, paths: ["model", "inbox"] });
    expect(pendingOf(await byPaths.call("ask")).message).toBe("?");
  });

  test.each(eras)("a question for a person only is never passed on by the model, in %s", async (era) => {
    const { call } = await connect({ era, register: ask({ person: true }) });
    const result = textOf(await call("ask"));
    expect(result).toContain("Cannot ask: the client");
    expect(result).toContain("the model is not asked to pass it on");
    const withForms = await connect({ era, register: ask({ person: true }), person: () => ({ action: "accept", content: {} }) });
    expect(textOf(await withForms.call("ask"))).toBe("client");
  });
});
