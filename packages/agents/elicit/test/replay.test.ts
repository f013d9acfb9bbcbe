import { acceptedContent, inputRequired, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type ElicitationStore, ElicitationTimeoutError, type ElicitContext, elicit, memoryElicitationStore, once } from "../src/index.ts";
import { codeOf, connect, eras, fakePlatform, pendingOf, said, textOf, wizard } from "./support.ts";

const secret = "a secret that is long enough for a key";
const ask = (server: McpServer) =>
  server.registerTool("ask", { inputSchema: z.object({ of: z.string().optional() }) }, async (_input, ctx) =>
    said(JSON.stringify(await elicit(ctx, "Your name?", z.object({ name: z.string() }), { ttl: 60_000 }))),
  );

describe("an elicitId", () => {
  const answer = (elicitId: string) => ({ elicitId, action: "accept", content: { name: "Ada" } });

  test("that is unknown, expired, used or another caller's is rejected with its own error", async () => {
    const platform = fakePlatform();
    const store = memoryElicitationStore(platform.clock);
    const one = await connect({ register: ask, platform, store });
    const another = await connect({ register: ask, platform, store });

    const unknown = await one.call("sendElicitationResult", answer("elicit-1234-abc"));
    const mine = pendingOf(await one.call("ask")).elicitId;
    const foreign = await another.call("sendElicitationResult", answer(mine));
    expect(JSON.parse(textOf(await one.call("sendElicitationResult", answer(mine))))).toMatchObject({
      content: { name: "Ada" },
      by: "model",
    });
    const used = await one.call("sendElicitationResult", answer(mine));
    const late = pendingOf(await one.call("ask")).elicitId;
    await platform.clock.advance(60_001);
    const expired = await one.call("sendElicitationResult", answer(late));

    const results = [unknown, foreign, used, expired];
    expect(results.map(codeOf)).toEqual(["ELICITATION_UNKNOWN", "ELICITATION_FOREIGN", "ELICITATION_USED", "ELICITATION_EXPIRED"]);
    expect(results.every((result) => result.isError)).toBe(true);
    expect(new Set(results.map(textOf)).size).toBe(4);
  });

  test("counts once, even with simultaneous answers", async () => {
    const { call } = await connect({ register: ask });
    const { elicitId } = pendingOf(await call("ask"));
    const results = await Promise.all(Array.from({ length: 10 }, () => call("sendElicitationResult", answer(elicitId))));
    expect(results.filter((result) => !result.isError)).toHaveLength(1);
    expect(results.filter((result) => codeOf(result) === "ELICITATION_USED")).toHaveLength(9);
  });

  test("of a form cannot be answered by the model, nor with other arguments", async () => {
    let key = "";
    const { client, call } = await connect({
      era: "2026-07-28",
      register: ask,
      person: () => ({ action: "accept", content: { name: "Ada" } }),
    });
    const raw = (params: Record<string, unknown>) =>
      client.callTool({ name: "ask", arguments: {}, ...params } as never, { allowInputRequired: true } as never) as Promise<{
        inputRequests?: Record<string, unknown>;
      }>;
    [key = ""] = Object.keys((await raw({})).inputRequests ?? {});
    expect(key).toMatch(/^elicit-/);
    await expect(call("sendElicitationResult", answer(key))).rejects.toThrow(/not found/);
    const inputResponses = { [key]: { action: "accept", content: { name: "Ada" } } };
    expect(codeOf((await raw({ inputResponses, arguments: { of: "somebody else" } })) as never)).toBe("ELICITATION_FOREIGN");
    expect(textOf((await raw({ inputResponses })) as never)).toContain("Ada");
    expect(codeOf((await raw({ inputResponses })) as never)).toBe("ELICITATION_USED");
  });

  test("belongs to the owner that the author defines", async () => {
    let owner = "one";
    const { call } = await connect({ register: ask, owner: () => owner });
    const { elicitId } = pendingOf(await call("ask"));
    owner = "other";
    expect(codeOf(await call("sendElicitationResult", answer(elicitId)))).toBe("ELICITATION_FOREIGN");
    owner = "one";
    expect(textOf(await call("sendElicitationResult", answer(elicitId)))).toContain("Ada");
  });
});

describe("the state between two runs", () => {
  const recording = (inner: ElicitationStore) => {
    const written: string[] = [];
    const store: ElicitationStore = {
      get: (key) => inner.get(key),
      replace(key, expected, next, ttl) {
        written.push(next);
        return inner.replace(key, expected, next, ttl);
      },
    };
    return { store, written };
  };

  test.each(eras)("is encrypted if there is a secret, in %s", async (era) => {
    const platform = fakePlatform();
    const { store, written } = recording(memoryElicitationStore(platform.clock));
    const answers = [{ name: "Ada" }, { color: "green" }, { count: 3 }];
    let step = 0;
    const person = era === "2026-07-28" ? () => ({ action: "accept", content: answers[step++] }) : undefined;
    const { call } = await connect({ era, platform, store, secret, register: (server) => wizard(server, { runs: 0, orders: 0 }), person });
    let result = await call("wizard", { topic: "tea" });
    for (const content of person === undefined ? answers : []) {
      result = await call("sendElicitationResult", { elicitId: pendingOf(result).elicitId, action: "accept", content });
    }
    expect(textOf(result)).toBe("3 green for Ada, order 1");
    expect(written.length).toBeGreaterThan(3);
    for (const value of written) expect(value).toMatch(/^s1\.[A-Za-z0-9+/=]+$/);
  });

  test("counts as unknown if it was modified, with a line in the log", async () => {
    const platform = fakePlatform();
    const inner = memoryElicitationStore(platform.clock);
    const logged: string[] = [];
    const { call } = await connect({ platform, store: inner, secret, register: ask, log: (_level, message) => void logged.push(message) });
    const { elicitId } = pendingOf(await call("ask"));
    const before = (await inner.get(elicitId)) ?? "";
    await inner.replace(elicitId, before, `${before.slice(0, -6)}AAAAA=`, 60_000);
    expect(codeOf(await call("sendElicitationResult", { elicitId, action: "decline" }))).toBe("ELICITATION_UNKNOWN");
    expect(logged).toContainEqual(expect.stringContaining("could not be decrypted"));
  });
});

describe("a tool that is run again", () => {
  test.each(["timed_out", "timedOut"])("remembers that an earlier question timed out, stored as %s", async (stored) => {
    const platform = fakePlatform();
    const inner = memoryElicitationStore(platform.clock);
    let latest = "";
    const store: ElicitationStore = {
      get: (key) => inner.get(key),
      replace(key, ...row) {
        latest = key;
        return inner.replace(key, ...row);
      },
    };
    const late = Promise.withResolvers<unknown>();
    const shown = Promise.withResolvers<void>();
    const { call } = await connect({
      era: "2026-07-28",
      platform,
      store,
      register: (server) =>
        server.registerTool("ask", {}, async (ctx) => {
          const first = await elicit(ctx, "Name?", z.object({})).catch((error: unknown) => error);
          const second = await elicit(ctx, "Still there?", z.object({}));
          return said(`${first instanceof ElicitationTimeoutError ? "timed out" : "answered"}, then ${second.status}`);
        }),
      person: async ({ message }) => {
        if (message === "Name?") {
          shown.resolve();
          return late.promise;
        }
        const row = (await inner.get(latest)) ?? "";
        expect(row).toContain('"status":"timed_out"');
        await inner.replace(latest, row, row.replace('"status":"timed_out"', `"status":"${stored}"`), 60_000);
        return { action: "accept", content: {} };
      },
    });
    const calling = call("ask");
    await shown.promise;
    await platform.clock.advance(300_001);
    late.resolve({ action: "accept", content: {} });
    expect(textOf(await calling)).toBe("timed out, then accept");
  });

  test("and asks something else than what was answered fails, and does not get the answer", async () => {
    let asked = "How old are you?";
    const { call } = await connect({
      register: (server) =>
        server.registerTool("ask", {}, async (ctx) => {
          const first = await elicit(ctx, asked, z.object({ age: z.number() }));
          const second = await elicit(ctx, "Sure?", z.object({ sure: z.boolean() }));
          return said(JSON.stringify([first, second]));
        }),
    });
    const first = pendingOf(await call("ask"));
    const second = pendingOf(await call("sendElicitationResult", { elicitId: first.elicitId, action: "accept", content: { age: 36 } }));
    asked = "How much do you pay?";
    const result = await call("sendElicitationResult", { elicitId: second.elicitId, action: "accept", content: { sure: true } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('Question 1 of ask was "How old are you?" when it was answered and is "How much do you pay?"');
  });

  test("does not continue after it was suspended, whatever it catches", async () => {
    let reached = 0;
    const { call } = await connect({
      register: (server) =>
        server.registerTool("ask", {}, async (ctx) => {
          try {
            await elicit(ctx, "Delete it?", z.object({ sure: z.boolean() }));
          } catch {
            reached += 1;
          }
          reached += 1;
          return said("done");
        }),
    });
    pendingOf(await call("ask"));
    expect(reached).toBe(0);
  });

  test("gets the earlier result of once(), and retries what had failed", async () => {
    const seen: unknown[] = [];
    let failures = 1;
    const { call } = await connect({
      register: (server) =>
        server.registerTool("ask", {}, async (ctx) => {
          const made = await once(ctx, "make", () => ({ at: new Date(0), left: undefined }));
          const nothing = await once(ctx, "nothing", () => undefined);
          const tried = await once(ctx, "try", () => {
            failures -= 1;
            if (failures >= 0) throw new Error("not now");
            return "at last";
          }).catch(() => "failed");
          seen.push([made, nothing, tried]);
          await elicit(ctx, "Go on?", z.object({}));
          return said("done");
        }),
    });
    const { elicitId } = pendingOf(await call("ask"));
    expect(textOf(await call("sendElicitationResult", { elicitId, action: "accept" }))).toBe("done");
    const made = { at: "1970-01-01T00:00:00.000Z" };
    expect(seen).toEqual([
      [made, undefined, "failed"],
      [made, undefined, "at last"],
    ]);
  });

  test("waits for a running once() before it is suspended", async () => {
    let finish = (_value: string) => {};
    let begun = 0;
    const { call } = await connect({
      register: (server) =>
        server.registerTool("ask", {}, async (ctx) => {
          const order = once(ctx, "order", () => {
            begun += 1;
            return new Promise<string>((resolve) => {
              finish = resolve;
            });
          });
          const [answer, number] = await Promise.all([elicit(ctx, "Go on?", z.object({})), order]);
          return said(`${answer.status} ${number}`);
        }),
    });
    const calling = call("ask");
    await expect.poll(() => begun).toBe(1);
    finish("number 7");
    const { elicitId } = pendingOf(await calling);
    expect(textOf(await call("sendElicitationResult", { elicitId, action: "accept" }))).toBe("accept number 7");
    expect(begun).toBe(1);
  });

  test.each(eras)("may ask two things at once, in %s", async (era) => {
    const register = (server: McpServer) =>
      server.registerTool("ask", {}, async (ctx) => {
        const both = await Promise.all([
          elicit(ctx, "Name?", z.object({ name: z.string() })),
          elicit(ctx, "Age?", z.object({ age: z.number() })),
        ]);
        return said(JSON.stringify(both.map(({ content }) => content)));
      });
    const contentFor = (message: string) => (message === "Name?" ? { name: "Ada" } : { age: 36 });
    const withForms = await connect({ era, register, person: ({ message }) => ({ action: "accept", content: contentFor(message) }) });
    expect(textOf(await withForms.call("ask"))).toBe('[{"name":"Ada"},{"age":36}]');
    const { call } = await connect({ era, register });
    let result = await call("ask");
    for (let step = 0; step < 2; step += 1) {
      const { elicitId, message } = pendingOf(result);
      result = await call("sendElicitationResult", { elicitId, action: "accept", content: contentFor(message) });
    }
    expect(textOf(result)).toBe('[{"name":"Ada"},{"age":36}]');
  });

  test.each(eras)("accepts copied contexts, in %s", async (era) => {
    const named = (ctx: ServerContext, name: string) =>
      elicit("mcpReq" in ctx ? { ...ctx, mcpReq: { ...ctx.mcpReq } } : { ...(ctx as ElicitContext) }, name, z.object({ is: z.string() }));
    const { call } = await connect({
      era,
      register: (server) =>
        server.registerTool("ask", {}, async (ctx) =>
          said(`${(await named({ ...ctx }, "a")).content?.is} ${(await named(ctx, "b")).content?.is}`),
        ),
      person: ({ message }) => ({ action: "accept", content: { is: message.toUpperCase() } }),
    });
    expect(textOf(await call("ask"))).toBe("A B");
  });

  test("gets its answers again when the SDK restarts it, with other forms of the author's own", async () => {
    const { call } = await connect({
      register: (server) =>
        server.registerTool("ask", {}, async (ctx) => {
          const name = await elicit(ctx, "Name?", z.object({ name: z.string() }));
          const own = acceptedContent<{ age: number }>(ctx.mcpReq.inputResponses, "own");
          if (own !== undefined) return said(`${name.content?.name} is ${own.age}`);
          const requestedSchema = { type: "object" as const, properties: { age: { type: "integer" as const } } };
          return inputRequired({ inputRequests: { own: inputRequired.elicit({ message: "Age?", requestedSchema }) } });
        }),
      person: ({ message }) => ({ action: "accept", content: message === "Name?" ? { name: "Ada" } : { age: 36 } }),
    });
    expect(textOf(await call("ask"))).toBe("Ada is 36");
  });
});

describe("the way of asking", () => {
  const by = (server: McpServer) => server.registerTool("by", {}, async (ctx) => said((await elicit(ctx, "?", z.object({}))).by));
  const person = () => ({ action: "accept" });

  test("can be set by the author for a client", async () => {
    const { call } = await connect({ register: by, person, clients: { "some-client": "model" } });
    expect(pendingOf(await call("by")).message).toBe("?");
  });

  test("is the client's form, despite the table, only if the client declares one", async () => {
    const { call } = await connect({ register: by, clients: { "some-client": "client" } });
    expect(pendingOf(await call("by")).message).toBe("?");
  });

  test("is the first that the author allows", async () => {
    const { call } = await connect({ register: by, person, paths: ["model", "client"] });
    expect(pendingOf(await call("by")).message).toBe("?");
  });
});
