// The `elicitation` contract, section by section, with its own examples.
import type { McpServer } from "@modelcontextprotocol/server";
import { McpServer as Server } from "@modelcontextprotocol/server";
import { describe, expect, expectTypeOf, onTestFinished, test } from "vitest";
import * as z from "zod";
import { connectDirect } from "../src/direct.ts";
import {
  ElicitationNotSupportedError,
  ElicitationTimeoutError,
  type ElicitOptions,
  type ElicitResult,
  elicit,
  withElicitation,
} from "../src/index.ts";
import { codeOf, connect, eras, pendingOf, type Shown, said, textOf } from "./support.ts";

/** "Basic Usage in Tools". */
const deleteFile = (server: McpServer) =>
  server.registerTool("delete-file", { inputSchema: z.object({ action: z.string() }) }, async (input, ctx) => {
    const result = await elicit(
      ctx,
      `Are you sure you want to delete "${input.action}"?`,
      z.object({ confirmed: z.boolean().describe("Confirm deletion") }),
    );
    if (result.status === "accept" && result.content?.confirmed) return said(`File "${input.action}" has been deleted.`);
    return said("Deletion was cancelled by user.");
  });

describe("Basic usage", () => {
  test.each(eras)("in %s: the tool continues when its person confirms", async (era) => {
    const { call } = await connect({ era, register: deleteFile, person: () => ({ action: "accept", content: { confirmed: true } }) });
    expect(textOf(await call("delete-file", { action: "a.txt" }))).toBe('File "a.txt" has been deleted.');
  });

  test.each([
    { action: "accept", content: { confirmed: false } },
    { action: "decline" },
    { action: "cancel" },
    // Something that is not a decision must not become one.
    { action: "decline", content: { confirmed: true } },
  ])("but not when its person answers %j", async (response) => {
    const { call } = await connect({ register: deleteFile, person: () => response });
    expect(textOf(await call("delete-file", { action: "a.txt" }))).toBe("Deletion was cancelled by user.");
  });
});

describe("Elicitation result", () => {
  test("there is only content with accept, and it has the schema's type", () => {
    expectTypeOf(elicit<z.ZodObject<{ name: z.ZodString }>>).returns.resolves.toEqualTypeOf<ElicitResult<{ name: string }>>();
    const take = (result: ElicitResult<{ name: string }>) => {
      if (result.status === "accept") expectTypeOf(result.content).toEqualTypeOf<{ name: string }>();
      else expectTypeOf(result.content).toEqualTypeOf<undefined>();
      expectTypeOf(result.status).toEqualTypeOf<"accept" | "decline" | "cancel">();
    };
    expectTypeOf(take).toBeFunction();
    expectTypeOf<ElicitOptions["mode"]>().toEqualTypeOf<"form" | "url" | undefined>();
  });

  test("content is what the schema makes of it, without what nobody answered: a default of the schema is no answer", async () => {
    const content = z
      .object({
        age: z.number(),
        news: z.boolean().default(true),
        size: z.enum(["S", "M"]).nullable().prefault("M"),
        kept: z.number().default(1),
        // JSON Schema has no default of what is read as something else.
        wipe: z.stringbool().default(true),
        sure: z.boolean().optional().pipe(z.boolean().default(true)),
        name: z.string().transform((name) => name.toUpperCase()),
      })
      // The schema's own code sees what its types promise.
      .refine(({ size, news }) => news && size?.length === 1);
    const { call } = await connect({
      register: (server) => server.registerTool("ask", {}, async (ctx) => said(JSON.stringify((await elicit(ctx, "?", content)).content))),
      person: () => ({ action: "accept", content: { age: 3, kept: 2, name: "ada" } }),
    });
    expect(JSON.parse(textOf(await call("ask")))).toEqual({ age: 3, kept: 2, name: "ADA" });
    type Content = NonNullable<Awaited<ReturnType<typeof elicit<typeof content>>>["content"]>;
    expectTypeOf<Content>().toEqualTypeOf<{
      age: number;
      news?: boolean;
      size?: "S" | "M" | null;
      kept?: number;
      wipe?: boolean;
      sure?: boolean;
      name: string;
    }>();
  });

  const wipe = z.object({ at: z.string(), wipe: z.boolean().default(true) });
  test.each<[string, z.ZodType, unknown]>([
    ["in an object", wipe, { at: "x" }],
    ["in a list", z.array(wipe), [{ at: "x" }]],
    ["in a list of a fixed length", z.tuple([wipe]), [{ at: "x" }]],
    ["in a record", z.record(z.string(), wipe), { a: { at: "x" } }],
    ["in a union", z.union([z.string(), wipe]), { at: "x" }],
    ["in one half of a schema", z.object({ at: z.string() }).and(wipe), { at: "x" }],
  ])("nor is a default %s an answer, when the model passes one on", async (_where, schema, inner) => {
    const content = z.object({ inner: schema });
    const { call } = await connect({
      register: (server) => server.registerTool("ask", {}, async (ctx) => said(JSON.stringify((await elicit(ctx, "?", content)).content))),
    });
    const { elicitId } = pendingOf(await call("ask"));
    expect(JSON.parse(textOf(await call("sendElicitationResult", { elicitId, action: "accept", content: { inner } })))).toEqual({ inner });
  });

  test.each(eras)("content from a client of %s that does not match the schema is an error, not a result", async (era) => {
    const { call } = await connect({
      era,
      register: (server) =>
        server.registerTool("ask", {}, async (ctx) => said(JSON.stringify(await elicit(ctx, "?", z.object({ email: z.email() }))))),
      person: () => ({ action: "accept", content: { email: "nobody" } }),
    });
    const result = await call("ask");
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("email: Invalid email address");
  });
});

describe("A form", () => {
  test.each([
    ["a file", z.file(), "files cannot be sent as JSON"],
    ["files in a list", z.array(z.file()), "files cannot be sent as JSON"],
    ["what would replace an answer that does not fit", z.number().max(5).catch(3), "catch() would replace"],
  ])("with %s is refused before anybody is asked, in the client and through the model", async (_what, it, sentence) => {
    const register = (server: McpServer) =>
      server.registerTool("ask", {}, async (ctx) => said(JSON.stringify(await elicit(ctx, "?", z.object({ it })))));
    for (const person of [undefined, () => Promise.reject(new Error("asked"))]) {
      const { call } = await connect({ register, ...(person !== undefined && { person }) });
      const result = await call("ask");
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain(`The schema cannot be written as JSON Schema: ${sentence}`);
    }
  });

  const nth = { First: 1, Second: 2, 1: "First", 2: "Second" } as const;

  test.each(eras)("in %s has a title for everything, and its choices come back as the schema's values", async (era) => {
    const forms: Shown[] = [];
    const { call } = await connect({
      era,
      register: (server) =>
        server.registerTool("rate", {}, async (ctx) =>
          said(JSON.stringify((await elicit(ctx, " ", z.object({ level: z.enum(nth), why: z.string().nullable() }))).content)),
        ),
      person: (form) => {
        forms.push(form);
        return { action: "accept", content: { level: "2" } };
      },
    });
    expect(JSON.parse(textOf(await call("rate")))).toEqual({ level: 2, why: null });
    expect(forms[0]?.message).toBe("rate needs your input.");
    expect(forms[0]?.requestedSchema).toMatchObject({
      properties: { level: { title: "level" }, why: { title: "why" } },
      required: ["level"],
    });
  });
});

describe("Elicitation options", () => {
  const login = (options: ElicitOptions) => (server: McpServer) =>
    server.registerTool("login", {}, async (ctx) => said((await elicit(ctx, "Log in, please", z.object({}), options)).status));
  const page = { mode: "url", url: "https://example.com/login", elicitationId: "visit-7" } as const;

  test("mode url sends its person to a page, under the author's id if the revision has one", async () => {
    const shown: unknown[] = [];
    const person = (form: unknown) => {
      shown.push(form);
      return { action: "accept" };
    };
    for (const era of eras) {
      const { call } = await connect({ era, register: login(page), person });
      expect(textOf(await call("login"))).toBe("accept");
      const visit = era === "2026-07-28" ? {} : { elicitationId: "visit-7" };
      expect(shown.pop()).toEqual({ mode: "url", message: "Log in, please", url: page.url, ...visit });
    }
  });

  test("an unknown mode is refused, and nobody is asked", async () => {
    const person = () => Promise.reject(new Error("asked"));
    const { call } = await connect({ register: login({ mode: "page" as "url", url: page.url }), person });
    const result = await call("login");
    expect([result.isError, textOf(result)]).toEqual([true, 'mode must be "form" or "url", not "page".']);
  });

  test("mode url uses the page that the server derives from an elicitationId", async () => {
    const shown: unknown[] = [];
    const { call } = await connect({
      register: login({ mode: "url", elicitationId: "visit-7" }),
      urlOf: (elicitationId) => `https://example.com/visits/${elicitationId}`,
      person: (form) => {
        shown.push(form.url);
        return { action: "accept" };
      },
    });
    expect(textOf(await call("login"))).toBe("accept");
    expect(shown).toEqual(["https://example.com/visits/visit-7"]);
  });

  test("mode url is worded as text for a client that only shows forms", async () => {
    const { call } = await connect({
      register: login(page),
      capabilities: { elicitation: {} },
      person: ({ message, requestedSchema }) => ({
        action: message.includes(page.url) && requestedSchema !== undefined ? "accept" : "cancel",
      }),
    });
    expect(textOf(await call("login"))).toBe("accept");
  });

  test.each([
    { mode: "url" },
    { mode: "url", elicitationId: "visit-7" },
    { mode: "url", url: "/login" },
    { ttl: 0 },
    { ttl: 1.5 },
    { ttl: 604_800_001 },
  ] as const)("%j is refused in a sentence", async (options) => {
    const { call } = await connect({ register: login(options), person: () => ({ action: "accept" }) });
    const result = await call("login");
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/ttl must be|needs the page's whole address/);
  });

  test("ttl is 5 minutes by default, and neither the SDK's 60 s nor its 10 minutes", async () => {
    const ask = (ttl?: number) => (server: McpServer) =>
      server.registerTool("ask", {}, async (ctx) => {
        try {
          return said((await elicit(ctx, "?", z.object({ a: z.string() }), { ttl })).status);
        } catch (error) {
          return said(error instanceof ElicitationTimeoutError ? `timed out after ${error.ttl}` : String(error));
        }
      });
    for (const [ttl, expected] of [
      [undefined, 300_000],
      [1_500_000, 1_500_000],
      [7_200_000, 7_200_000],
    ] as const) {
      const shown = Promise.withResolvers<AbortSignal>();
      const { call, platform } = await connect({
        register: ask(ttl),
        person: (_form, signal) => {
          shown.resolve(signal);
          return new Promise(() => {});
        },
      });
      let result = "waiting";
      const calling = call("ask").then((returned) => {
        result = textOf(returned);
      });
      const signal = await shown.promise;
      await platform.clock.advance(expected - 1);
      expect([result, signal.aborted]).toEqual(["waiting", false]);
      await platform.clock.advance(2);
      await calling;
      expect([result, signal.aborted]).toEqual([`timed out after ${expected}`, true]);
    }
  });
});

describe("Fallback elicitation", () => {
  test.each(eras)("in %s: the pending result has the contract's shape", async (era) => {
    const { call } = await connect({ era, register: deleteFile });
    const result = await call("delete-file", { action: "a.txt" });
    const message = 'Are you sure you want to delete "a.txt"?';
    const { elicitId } = pendingOf(result);
    expect(result._meta?.["elicitationPending"]).toEqual({
      elicitId: expect.stringMatching(/^elicit-[0-9a-z]{26}$/),
      message,
      schema: { type: "object", properties: { confirmed: { type: "boolean", description: "Confirm deletion" } }, required: ["confirmed"] },
      instructions: "Call sendElicitationResult tool after collecting user input",
    });
    expect(result.isError).toBeUndefined();
    expect(textOf(result).startsWith(`This tool requires user input to continue.\n\n**Question:** ${message}\n\n`)).toBe(true);
    // Most models only see the text.
    expect(textOf(result)).toContain(elicitId);
    expect(textOf(result)).toContain('"confirmed"');
  });

  test.each(eras)("in %s: sendElicitationResult gives the tool's own result", async (era) => {
    const { call } = await connect({ era, register: deleteFile });
    const { elicitId } = pendingOf(await call("delete-file", { action: "a.txt" }));
    const result = await call("sendElicitationResult", { elicitId, action: "accept", content: { confirmed: true } });
    expect(textOf(result)).toBe('File "a.txt" has been deleted.');
  });

  test("sendElicitationResult is only listed if the fallback is in use", async () => {
    const names = async (setup: Partial<Parameters<typeof connect>[0]>) => {
      const { client } = await connect({ register: deleteFile, ...setup });
      return (await client.listTools()).tools.map(({ name }) => name);
    };
    for (const era of eras) {
      expect(await names({ era })).toContain("sendElicitationResult");
      expect(await names({ era, capabilities: { elicitation: { url: {} } }, person: () => ({}) })).toContain("sendElicitationResult");
      expect(await names({ era, person: () => ({}) })).toEqual(["delete-file"]);
      expect(await names({ era, paths: ["client"] })).toEqual(["delete-file"]);
    }
  });

  test("if it is not in use, it is as unknown as any other tool", async () => {
    const { call } = await connect({ register: deleteFile, person: () => ({}) });
    await expect(call("sendElicitationResult", { elicitId: "x", action: "cancel" })).rejects.toThrow(/not found/);
  });

  test.each(["decline", "cancel"])("%s is returned to the tool", async (action) => {
    const { call } = await connect({ register: deleteFile });
    const { elicitId } = pendingOf(await call("delete-file", { action: "a.txt" }));
    expect(textOf(await call("sendElicitationResult", { elicitId, action }))).toBe("Deletion was cancelled by user.");
  });

  test("content that does not match is rejected with the reason, and the same elicitId accepts a corrected one", async () => {
    const { call } = await connect({ register: deleteFile });
    const { elicitId } = pendingOf(await call("delete-file", { action: "a.txt" }));
    const refused = await call("sendElicitationResult", { elicitId, action: "accept", content: { confirmed: "yes" } });
    expect([refused.isError, codeOf(refused)]).toEqual([true, "INVALID_ANSWER"]);
    expect(textOf(refused)).toContain("confirmed: Invalid input: expected boolean");
    const result = await call("sendElicitationResult", { elicitId, action: "accept", content: { confirmed: true } });
    expect(textOf(result)).toBe('File "a.txt" has been deleted.');
  });

  test("content that a model sends as JSON text is parsed", async () => {
    const { call } = await connect({ register: deleteFile });
    const { elicitId } = pendingOf(await call("delete-file", { action: "a.txt" }));
    const result = await call("sendElicitationResult", { elicitId, action: "accept", content: '{"confirmed": true}' });
    expect(textOf(result)).toBe('File "a.txt" has been deleted.');
  });

  test.each([
    {},
    { elicitId: "x" },
    { elicitId: "x", action: "yes" },
    { elicitId: 3, action: "accept" },
    { elicitId: "x", action: "accept", content: "no" },
  ])("arguments like %j are rejected with a sentence", async (args) => {
    const { call } = await connect({ register: deleteFile });
    const result = await call("sendElicitationResult", args);
    expect([result.isError, codeOf(result)]).toEqual([true, "VALIDATION"]);
    expect(textOf(result)).toMatch(/^Validation error: (elicitId|action|content) must be/);
  });

  test("the model fills in any schema, also one that no form can show", async () => {
    const schema = z.object({
      owner: z.object({ name: z.string(), email: z.email().nullable() }),
      tags: z.array(z.string()),
      env: z.record(z.string(), z.number()).nullish(),
    });
    const register = (server: McpServer) =>
      server.registerTool("ask", {}, async (ctx) => said(JSON.stringify((await elicit(ctx, "?", schema)).content)));
    const { call } = await connect({ register });
    const pending = await call("ask");
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input" });
    const { elicitId, schema: published } = pendingOf(pending);
    expect(published).toEqual(json);
    expect(textOf(pending)).toContain(JSON.stringify(json, null, 2));
    const content = { owner: { name: "Ada", email: null }, tags: ["x"], env: { a: 1 } };
    const refused = await call("sendElicitationResult", { elicitId, action: "accept", content: { ...content, tags: "x" } });
    expect(codeOf(refused)).toBe("INVALID_ANSWER");
    expect(textOf(await call("sendElicitationResult", { elicitId, action: "accept", content }))).toBe(JSON.stringify(content));
    const inForm = await connect({ register, person: () => ({ action: "accept", content }) });
    expect(textOf(await inForm.call("ask"))).toContain('The field "owner" cannot be shown in a form');
  });

  test("a tool with structured output reports that it is not finished in a way that clients accept", async () => {
    const { call, client } = await connect({
      register: (server) =>
        server.registerTool("count", { outputSchema: z.object({ count: z.number() }) }, async (ctx) => {
          const result = await elicit(ctx, "How many?", z.object({ count: z.number() }));
          const structuredContent = { count: result.content?.count ?? 0 };
          return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
        }),
    });
    await client.listTools();
    const pending = await call("count");
    expect(pending.isError).toBe(true);
    const result = await call("sendElicitationResult", { elicitId: pendingOf(pending).elicitId, action: "accept", content: { count: 4 } });
    expect(result.structuredContent).toEqual({ count: 4 });
  });
});

describe("Error handling", () => {
  test("ElicitationNotSupportedError, if nobody can be asked", async () => {
    const { call } = await connect({
      paths: ["client", "inbox"],
      register: (server) =>
        server.registerTool("ask", {}, async (ctx) => {
          try {
            return said((await elicit(ctx, "?", z.object({}))).status);
          } catch (error) {
            return said(error instanceof ElicitationNotSupportedError ? `not supported: ${error.message}` : "another error");
          }
        }),
    });
    expect(textOf(await call("ask"))).toMatch(/^not supported: Cannot ask/);
  });

  test("ElicitationNotSupportedError, on a server that was not set up", async () => {
    const server = new Server({ name: "s", version: "1" });
    deleteFile(server);
    const client = await connectDirect(server);
    onTestFinished(() => client.close());
    expect(textOf(await client.callTool("delete-file", { action: "a" }))).toContain("given to withElicitation");
  });

  test("ElicitationTimeoutError also if the answer comes with a later request, after the timeout", async () => {
    const late = Promise.withResolvers<unknown>();
    const shown = Promise.withResolvers<void>();
    const { call, platform } = await connect({
      era: "2026-07-28",
      register: deleteFile,
      person: () => {
        shown.resolve();
        return late.promise;
      },
    });
    const calling = call("delete-file", { action: "a.txt" });
    await shown.promise;
    await platform.clock.advance(300_001);
    late.resolve({ action: "accept", content: { confirmed: true } });
    const result = await calling;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("Nobody answered within 300 s");
  });
});

describe("Programmatic access", () => {
  const direct = async () => {
    const server = withElicitation(new Server({ name: "s", version: "1" }));
    deleteFile(server);
    server.registerTool("by", {}, async (ctx) => said(JSON.stringify(await elicit(ctx, "?", z.object({})))));
    const client = await connectDirect(server);
    onTestFinished(() => client.close());
    return client;
  };

  test("a handler answers until it is removed", async () => {
    const client = await direct();
    const requests: unknown[] = [];
    const unsubscribe = client.onElicitation(async (request) => {
      requests.push(request);
      return { action: "accept", content: { confirmed: true } };
    });
    expect(textOf(await client.callTool("delete-file", { action: "important.txt" }))).toBe('File "important.txt" has been deleted.');
    expect(requests).toEqual([
      expect.objectContaining({
        message: 'Are you sure you want to delete "important.txt"?',
        requestedSchema: expect.objectContaining({ type: "object" }),
      }),
    ]);
    unsubscribe();
    unsubscribe();
    expect(textOf(await client.callTool("delete-file", { action: "important.txt" }))).toBe("Deletion was cancelled by user.");
  });

  test("without a handler a question is declined, by nobody", async () => {
    const client = await direct();
    expect(JSON.parse(textOf(await client.callTool("by")))).toEqual({ status: "decline", by: "none" });
  });

  test("of several handlers the newest is used", async () => {
    const client = await direct();
    client.onElicitation(() => ({ action: "decline" }));
    const unsubscribe = client.onElicitation(() => ({ action: "cancel" }));
    expect(JSON.parse(textOf(await client.callTool("by")))).toEqual({ status: "cancel", by: "client" });
    unsubscribe();
    expect(JSON.parse(textOf(await client.callTool("by")))).toEqual({ status: "decline", by: "client" });
  });
});
