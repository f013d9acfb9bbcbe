import { createBroker, memoryStore, parseAsk } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AskServerOptions, createAskServer } from "../src/index.ts";
import { turns } from "./connected.ts";

const eras = ["2025-11-25", "2026-07-28"] as const;

/** A form that the client was sent. */
interface Shown {
  message: string;
  requestedSchema?: object;
}
type Person = (form: Shown, signal: AbortSignal) => unknown;

const input = {
  title: "Colours",
  questions: [{ id: "a", question: "Which?", type: "select", options: ["Red", "Green"], allowOther: false }],
};

interface Setup {
  era?: (typeof eras)[number];
  allowed?: boolean;
  person: Person;
  surfaces?: AskServerOptions["surfaces"];
  capabilities?: Record<string, unknown>;
}

/** `ask_user` with the client's own form as a second surface, and a client whose form is filled in by a script. */
async function withForm({ era = "2025-11-25", allowed = true, person, surfaces = ["inbox", "client"], capabilities }: Setup) {
  const platform = testPlatform({ settle: () => turns(20) });
  const broker = await createBroker({ store: memoryStore(), ...platform, clientForms: allowed });
  const desk = broker.desk({ surface: "web", name: "Ada" });
  const logged: string[] = [];
  const server = createAskServer({
    asker: async () => broker.asker("token-1"),
    identity: async () => ({}),
    platform,
    version: "0",
    surfaces,
    log: (_level, message) => void logged.push(message),
  });
  await server.warmUp();
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(server.factory, { transport: far });
  const client = new Client(
    { name: "some-client", version: "1" },
    {
      capabilities: (capabilities ?? { elicitation: { form: {} } }) as never,
      ...(era === "2026-07-28" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
    },
  );
  const shown: Shown[] = [];
  if (capabilities === undefined || "elicitation" in capabilities) {
    client.setRequestHandler("elicitation/create", async ({ params }, ctx) => {
      shown.push(params as Shown);
      return (await person(params as Shown, ctx.mcpReq.signal)) as never;
    });
  }
  onTestFinished(async () => {
    await client.close();
    await handle.close();
    await server.whenIdle();
    await broker.close();
  });
  await client.connect(near);
  const ask = (args: Record<string, unknown> = input) => client.callTool({ name: "ask_user", arguments: args });
  /** The call's result, while time passes: reading a session takes a moment of the clock. */
  const soon = async <Result>(call: Promise<Result>): Promise<Result> => {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    call.then(over, over);
    for (let times = 0; times < 200 && !isOver; times += 1) await platform.clock.advance(1);
    return call;
  };
  const pending = async () => {
    await expect.poll(async () => (await desk.list({ statuses: ["pending"] })).items.length).toBe(1);
    return (await desk.list({ statuses: ["pending"] })).items[0]?.id ?? "";
  };
  /** Another session of the same asker. */
  const other = async (args: Record<string, unknown>) => {
    const request = parseAsk({ ...args, timeout: 600_000 }, platform);
    const opened = await broker.asker("token-1").ask(request, { asker: { client: { name: "some-client" } }, maxWait: 0 });
    return opened.session.id;
  };
  return { client, other, ask, soon, desk, shown, logged, pending, platform };
}

const green = { answers: [{ questionId: "a", values: ["Green"] }] };
const ignored: Person = () => new Promise(() => {});

describe.each(eras)("the client's own form in addition to the inbox, in a client of %s", (era) => {
  test("settles the question when its person accepts, and the inbox says where", async () => {
    const { ask, soon, desk, shown } = await withForm({ era, person: () => ({ action: "accept", content: { a: "Green" } }) });
    expect((await soon(ask())).structuredContent).toMatchObject({
      answered: true,
      ...green,
      answeredBy: { surface: "client", name: "some-client" },
    });
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatchObject({
      message: "Colours",
      requestedSchema: { properties: { a: { enum: ["Red", "Green"] } }, required: ["a"] },
    });
    const [session] = (await desk.list()).items;
    expect(session).toMatchObject({ status: "answered", outcome: { by: { surface: "client", name: "some-client" } } });
  });

  test.each(["decline", "cancel"])(
    "closes nothing when the client sends %s automatically: the call waits for the inbox",
    async (action) => {
      const { ask, desk, pending, shown } = await withForm({ era, person: () => ({ action }) });
      const call = ask();
      const id = await pending();
      await expect.poll(async () => (await desk.get(id)).presence.asker).toBe("attached");
      await desk.answer(id, green);
      expect((await call).structuredContent).toMatchObject({ answered: true, answeredBy: { surface: "web", name: "Ada" } });
      expect(shown).toHaveLength(1);
    },
  );

  test.each([{}, { a: "Blue" }, { a: 3 }, null])("closes nothing when it accepts with %j, which is not valid", async (content) => {
    const { ask, desk, pending } = await withForm({ era, person: () => ({ action: "accept", content: content ?? undefined }) });
    const call = ask();
    const id = await pending();
    await turns(60);
    expect((await desk.get(id)).status).toBe("pending");
    await desk.answer(id, green);
    expect((await call).structuredContent).toMatchObject({ answered: true, answeredBy: { surface: "web" } });
  });

  test("is not shown if its answers are not allowed, and the log says how to allow them", async () => {
    const { ask, desk, pending, shown, logged } = await withForm({
      era,
      allowed: false,
      person: () => ({ action: "accept", content: { a: "Green" } }),
    });
    const call = ask();
    await desk.answer(await pending(), green);
    expect((await call).structuredContent).toMatchObject({ answeredBy: { surface: "web" } });
    expect(shown).toEqual([]);
    expect(logged).toContainEqual(expect.stringContaining("askbox config set allowClientForms true"));
  });

  test.each([
    ["was not asked for", { surfaces: ["inbox" as const] }],
    ["has no forms", { capabilities: { roots: {} } }],
    ["shows only pages", { capabilities: { elicitation: { url: {} } } }],
  ])("is not shown if the client %s", async (_why, setup) => {
    const { ask, desk, pending, shown } = await withForm({ era, person: ignored, ...setup });
    const call = ask();
    await desk.answer(await pending(), green);
    expect((await call).structuredContent).toMatchObject({ answered: true });
    expect(shown).toEqual([]);
  });
});

describe("the client's own form in revisions up to 2025-11-25", () => {
  test("is cancelled when the inbox is answered first", async () => {
    const gone = Promise.withResolvers<void>();
    const { ask, desk, pending, shown } = await withForm({
      person: (_form, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            gone.resolve();
            resolve({ action: "cancel" });
          });
        }),
    });
    const call = ask();
    const id = await pending();
    await expect.poll(() => shown.length).toBe(1);
    await desk.answer(id, green);
    expect((await call).structuredContent).toMatchObject({ answeredBy: { surface: "web", name: "Ada" } });
    await gone.promise;
  });

  test("is cancelled when the call returns with a ticket", async () => {
    const { ask, platform, shown, desk, pending } = await withForm({
      person: (_form, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve({ action: "cancel" }))),
    });
    const call = ask();
    await pending();
    await expect.poll(() => shown.length).toBe(1);
    await platform.clock.advance(51_000);
    expect((await call).structuredContent).toMatchObject({ pending: true });
    expect((await desk.list()).items[0]?.status).toBe("pending");
  });

  test("is shown again with the error, three times at most", async () => {
    const { ask, desk, pending, shown } = await withForm({ person: () => ({ action: "accept", content: { a: "Blue" } }) });
    const call = ask();
    const id = await pending();
    await expect.poll(() => shown.length).toBe(3);
    await turns(60);
    expect(shown).toHaveLength(3);
    expect(shown[1]?.message).toContain('"Blue" is not one of the options.');
    await desk.answer(id, green);
    await call;
  });

  test("that fails does not fail the call", async () => {
    const { ask, desk, pending, logged } = await withForm({
      person: () => {
        throw new Error("No window.");
      },
    });
    const call = ask();
    await desk.answer(await pending(), green);
    expect((await call).structuredContent).toMatchObject({ answered: true });
    expect(logged).toContainEqual("The client did not show its form");
  });
});

describe("the client's own form since 2026-07-28", () => {
  test("is overridden by an answer given in the inbox in the meantime", async () => {
    let answer = async () => {};
    const { ask, desk, pending } = await withForm({
      era: "2026-07-28",
      person: async () => {
        await answer();
        return { action: "accept", content: { a: "Red" } };
      },
    });
    answer = async () => void (await desk.answer(await pending(), green));
    expect((await ask()).structuredContent).toMatchObject({ answered: true, ...green, answeredBy: { surface: "web", name: "Ada" } });
  });

  test("makes its asker count as returning, not gone, while it is open", async () => {
    const { ask, desk, pending, platform } = await withForm({ era: "2026-07-28", person: ignored });
    ask().catch(() => {});
    const id = await pending();
    await platform.clock.advance(5);
    expect((await desk.get(id)).presence.asker).toBe("will_ask_again");
  });

  test.each([
    ["another", { b: "Yes" }, { questions: [{ id: "b", question: "Sure?" }] }],
    ["the same under another id", { b: "Red" }, { ...input, questions: input.questions.map((one) => ({ ...one, id: "b" })) }],
  ])("for one question does not answer %s", async (_which, content, args) => {
    const { client, desk, other, soon } = await withForm({ era: "2026-07-28", person: ignored });
    const id = await other(args);
    const inputResponses = { [`askbox-session-${id}`]: { action: "accept", content } };
    const call = soon(client.callTool({ name: "ask_user", arguments: { ...input, timeout: 600_000 }, inputResponses } as never));
    await expect.poll(async () => (await desk.list()).items.length).toBe(2);
    expect((await desk.get(id)).status).toBe("pending");
    call.catch(() => {});
  });
});
