import type { Desk } from "@askbox/core";
import { questionTypes } from "@askbox/core/questions";
import { parseExact } from "@askbox/core/schemas";
import { describe, expect, it } from "vitest";
import { answers, ask, askOne, startHub } from "./support.ts";

describe("REST", () => {
  it("opens a session and returns its URL", async () => {
    const hub = await startHub();
    const { status, headers, body } = await hub.call("POST", "/api/sessions", {
      as: "asker",
      headers: { "user-agent": "curl/8.5.0 (x)" },
      body: { ...ask, key: "k1", agentId: "agent-7", project: "/home/ada/engine", unknown: 1 },
    });
    expect(status).toBe(201);
    expect(headers["location"]).toBe(`/api/sessions/${body.id}`);
    expect(body).toMatchObject({
      status: "pending",
      title: "Before I go on",
      key: "k1",
      asker: { client: { name: "curl", version: "8.5.0" }, agentId: "agent-7", project: "/home/ada/engine" },
      deadlineAt: hub.clock.now() + 300_000,
    });
    expect(body.questions).toHaveLength(3);
  });

  it("accepts numbers, dates and limits, normalizes answers, and says what is wrong with an invalid one", async () => {
    const hub = await startHub();
    const questions = [
      { id: "n", type: "number", question: "How many?", min: 1, max: 8 },
      { id: "d", type: "date", question: "When?" },
    ];
    const id = await askOne(hub, { questions });
    const answer = (n: string, d: string) => ({
      answers: [
        { questionId: "n", values: [n] },
        { questionId: "d", values: [d] },
      ],
    });
    const wrong = await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: answer("1,5", "5.3.2026") });
    expect(wrong.status).toBe(422);
    expect(wrong.body.issues).toEqual([
      { questionId: "n", code: "not_a_number", message: expect.stringMatching(/^This isn't a number/) },
      { questionId: "d", code: "not_a_date", message: expect.stringMatching(/^Enter a date as/) },
    ]);
    const { status, body } = await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: answer("2.50", "2026-03-05") });
    expect(status).toBe(200);
    expect(body.outcome.answers.map(({ values }: { values: string[] }) => values)).toEqual([["2.5"], ["2026-03-05"]]);
  });

  it("keeps the arguments of an action as they were written, and rejects changed ones that it could not pass on", async () => {
    const hub = await startHub();
    const input = parseExact('{"id":9007199254740993,"rate":1e999}');
    const ask = (more: object) =>
      askOne(hub, {
        questions: [{ id: "a", question: "May it?", type: "approval", action: { kind: "tool", tool: "db", ...more }, editable: true }],
      });
    const { body } = await hub.call("GET", `/api/sessions/${await ask({ input })}`, { as: "desk" });
    expect(body.questions[0].action.inputJson).toBe('{"id":9007199254740993,"rate":1e999}');
    const id = await ask({ input: { id: 1 } });
    const answer = (changed: unknown) =>
      hub.call("POST", `/api/sessions/${id}/answer`, {
        as: "desk",
        body: { answers: [{ questionId: "a", values: ["allow"], input: changed }] },
      });
    expect(await answer(input)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    expect(await answer({ id: 2 })).toMatchObject({ status: 200, body: { status: "answered" } });
  });

  it("describes every type of question in /openapi.json, with its own fields", async () => {
    const hub = await startHub();
    const { body } = await hub.call("GET", "/openapi.json");
    const { questions } = body.components.schemas.AskRequest.properties;
    expect(questions.items).toEqual({ $ref: "#/components/schemas/QuestionInput" });
    const branches: { properties: Record<string, { const?: string }>; required: string[] }[] = body.components.schemas.QuestionInput.oneOf;
    expect(branches.map(({ properties }) => properties["type"]?.const)).toEqual(questionTypes);
    expect(branches.find(({ properties }) => properties["type"]?.const === "number")?.properties).toHaveProperty("integer");
    expect(branches[0]?.required).toEqual(["question"]);
  });

  // promise: agents-kept-apart
  it("returns a session only to the agent that asked, unless its token is shared", async () => {
    const hub = await startHub();
    const tokenOf = async (wish: object) =>
      (await hub.call("POST", "/api/tokens", { as: "desk", body: { scope: "asker", ...wish } })).body.token as string;
    const call = (token: string, method: string, path: string, more: { agent?: string; body?: unknown } = {}) => {
      const headers = { authorization: `Bearer ${token}`, "user-agent": more.agent ?? "curl/8.5.0" };
      return hub.call(method, path, { headers, body: more.body });
    };
    const own = await tokenOf({ name: "own" });
    const { id } = (await call(own, "POST", "/api/sessions", { body: { ...ask, agentId: "one", project: "/one" } })).body;
    for (const [query, agent, status] of [
      ["", undefined, 200],
      ["?agentId=one&project=/one", "curl/9.0.0", 200],
      ["?agentId=two", undefined, 403],
      ["?project=/two", undefined, 403],
      ["", "python-requests/2.32", 403],
    ] as const) {
      const answer = await call(own, "GET", `/api/sessions/${id}${query}`, { agent });
      expect([query, agent, answer.status]).toEqual([query, agent, status]);
    }
    const refused = (await call(own, "GET", `/api/sessions/${id}?agentId=two`)).body;
    expect((await call(own, "GET", "/api/sessions/nosuchsession")).body).toEqual(refused);
    const shared = await tokenOf({ name: "pool", shared: true });
    const other = (await call(shared, "POST", "/api/sessions", { body: { ...ask, agentId: "one" } })).body;
    expect((await call(shared, "GET", `/api/sessions/${other.id}?agentId=two`, { agent: "python-requests" })).status).toBe(200);
  });

  // promise: on-behalf-only-where-allowed
  it("lets a bot's token name the person who answered, declined, replied or asked back, and no other token", async () => {
    const hub = await startHub();
    const made = async (wish: object) => hub.call("POST", "/api/tokens", { as: "desk", body: { scope: "desk", ...wish } });
    const { token: bot } = (await made({ name: "chat", onBehalf: true })).body;
    const { token: own } = (await made({ name: "own" })).body;
    const send = (token: string, path: string, body: object) =>
      hub.call("POST", `/api/sessions/${path}`, { headers: { authorization: `Bearer ${token}` }, body });
    const by = { name: "Ada" };
    const asked = await askOne(hub, ask);
    const asking = await send(bot, `${asked}/ask-back`, { text: "Why?", by });
    expect(asking.body.thread).toMatchObject([{ by: { surface: "api", name: "Ada" } }]);
    const refused = await send(own, `${asked}/answer`, { answers, by });
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining("created to answer on behalf of others") } });
    expect((await send(own, `${asked}/cancel`, { by })).status).toBe(403);
    expect((await send(bot, `${asked}/answer`, { answers, by: { name: " " } })).status).toBe(400);
    expect((await send(bot, `${asked}/answer`, { answers, by })).body.outcome.by).toMatchObject({ surface: "api", name: "Ada" });
    const declined = await askOne(hub, ask);
    expect((await send(bot, `${declined}/cancel`, { by })).body.outcome.by).toMatchObject({ surface: "api", name: "Ada" });
    const itself = await askOne(hub, ask);
    expect((await send(bot, `${itself}/cancel`, {})).body.outcome.by).toMatchObject({ name: "chat" });
    expect((await made({ name: "agent", scope: "asker", onBehalf: true })).status).toBe(400);
  });

  // promise: on-behalf-only-where-allowed
  it("has the same rule on the wire: a named token answers for itself, and a bot's for each person over one connection", async () => {
    const hub = await startHub();
    const made = async (wish: object) =>
      (await hub.call("POST", "/api/tokens", { as: "desk", body: { scope: "desk", ...wish } })).body.token;
    const connect = (token: string | undefined, name?: string) => hub.connect("desk", { ...(token && { token }), ...(name && { name }) });
    const own = connect(await made({ name: "own" }), "Eve");
    const refused = { code: "FORBIDDEN", message: expect.stringContaining("created to answer on behalf of others") };
    await expect(own.deskFor("Ada").answer(await askOne(hub), { answers })).rejects.toMatchObject(refused);
    expect((await own.desk.cancel(await askOne(hub))).outcome?.by).toEqual({ surface: "cli", name: "own" });

    const bot = connect(await made({ name: "chat", onBehalf: true }));
    const [first, second, third, fourth] = await Promise.all([1, 2, 3, 4].map(() => askOne(hub)));
    const by = (desk: Desk, id = "") => desk.answer(id, { answers }).then(({ outcome }) => outcome?.by);
    expect(await by(bot.deskFor("Ada"), first)).toEqual({ surface: "cli", name: "Ada" });
    expect((await bot.deskFor("Grace").askBack(second ?? "", { text: "Why?" })).thread).toMatchObject([
      { by: { surface: "cli", name: "Grace" } },
    ]);
    expect((await bot.deskFor("Grace").saveDraft(second ?? "", { fields: {} })).by).toMatchObject({ name: "Grace" });
    expect(await by(bot.desk, second)).toEqual({ surface: "cli", name: "chat" });
    await expect(bot.deskFor(" ").cancel(third ?? "")).rejects.toMatchObject({ code: "VALIDATION" });
    expect(hub.hub.connections.desks).toHaveLength(2);
    // A bot may also speak for one person all the time, and the holder of the hub's own token says who they are.
    expect(await by(connect(await made({ name: "kiosk", onBehalf: true }), "Ada").desk, third)).toEqual({ surface: "cli", name: "Ada" });
    expect(await by(connect(undefined, "ada").desk, fourth)).toEqual({ surface: "cli", name: "ada" });
  });

  it("uses the hub's timeout if the ask has none", async () => {
    const hub = await startHub({ defaultTimeout: 20_000 });
    const { body } = await hub.call("POST", "/api/sessions", { as: "asker", body: ask });
    expect(body.deadlineAt).toBe(hub.clock.now() + 20_000);
  });

  it("lists by status and text, page by page", async () => {
    const hub = await startHub();
    const ids = [];
    for (const title of ["red", "green", "blue"]) {
      ids.push(await askOne(hub, { ...ask, title }));
      await hub.clock.advance(10);
    }
    await hub.call("POST", `/api/sessions/${ids[0]}/cancel`, { as: "desk" });
    const list = async (query: string) => (await hub.call("GET", `/api/sessions${query}`, { as: "desk" })).body;
    const titles = (page: { items: { title: string }[] }) => page.items.map(({ title }) => title);
    expect(titles(await list(""))).toEqual(["blue", "green", "red"]);
    expect(titles(await list("?status=pending"))).toEqual(["blue", "green"]);
    expect(titles(await list("?status=pending,cancelled&q=RED"))).toEqual(["red"]);
    const first = await list("?limit=2");
    expect(titles(first)).toEqual(["blue", "green"]);
    const second = await list(`?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`);
    expect(titles(second)).toEqual(["red"]);
    expect(second).not.toHaveProperty("nextCursor");
  });

  it.each(["?status=open", "?limit=0", "?limit=x", "?limit=1001"])("rejects the list %s with a sentence", async (query) => {
    const hub = await startHub();
    const { status, body } = await hub.call("GET", `/api/sessions${query}`, { as: "desk" });
    expect([status, body.code]).toEqual([400, "VALIDATION"]);
    expect(body.detail).toMatch(/^(status|limit).* is not valid/);
  });

  it("answers a session, and returns the existing answer to a second attempt", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const first = await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers, comment: "go" } });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ status: "answered", outcome: { kind: "answered", comment: "go", by: { surface: "api" } } });
    expect(first.body.outcome.answers).toEqual([...answers, { questionId: "sure", values: [] }]);

    const second = await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers } });
    expect(second.status).toBe(409);
    expect(second.headers["content-type"]).toBe("application/problem+json");
    expect(second.body).toMatchObject({
      status: 409,
      title: "Conflict",
      code: "SESSION_CLOSED",
      session: { id, outcome: first.body.outcome },
    });
    expect((await hub.call("POST", `/api/sessions/${id}/cancel`, { as: "desk" })).status).toBe(409);
    expect((await hub.call("POST", `/api/sessions/${id}/extend`, { as: "desk", body: { timeout: 60_000 } })).status).toBe(409);
  });

  it.each([
    ["answer", "{}", /^answers is not valid/],
    ["answer", "", /^answers is not valid/],
    ["answer", '{"answers":', /^The body is not valid JSON/],
    ["answer", `{"answers":[{"questionId":"q","values":[${"1,".repeat(80_000)}1]}]}`, /^The body has too many values/],
    ["answer", "[]", /^The request is not valid/],
    ["answer", '{"answers":[{"questionId":"name","values":"Ada"}]}', /^answers\.0\.values is not valid/],
    ["extend", "{}", /^timeout is not valid/],
    ["extend", '{"timeout":1}', /timeout|1,?000/],
    ["cancel", '{"reason":7}', /^reason is not valid/],
  ])("rejects %s with %s", async (path, body, sentence) => {
    const hub = await startHub();
    const id = await askOne(hub);
    const answer = await hub.call("POST", `/api/sessions/${id}/${path}`, { as: "desk", body });
    expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION"]);
    expect(answer.body.detail).toMatch(sentence);
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body.status).toBe("pending");
  });

  it.each([
    ["{}", "questions array must have at least 1 item"],
    ['{"questions":[]}', "questions array must have at least 1 item"],
    ['{"questions":[{"question":""}]}', "question text is required"],
    ['{"questions":[{"question":"x","type":"select"}]}', "Options required for select/multi-select types"],
    ['{"questions":[{"question":"x"}],"timeout":5}', "timeout must be a whole number of milliseconds from 10000 to 1800000"],
    ['{"questions":[{"question":"x"}],"key":""}', "key is not valid"],
    ["{", "The body is not valid JSON"],
    ["null", "The request is not valid"],
  ])("rejects the ask %s with a sentence", async (body, sentence) => {
    const hub = await startHub();
    const answer = await hub.call("POST", "/api/sessions", { as: "asker", body });
    expect([answer.status, answer.body.code, answer.headers["content-type"]]).toEqual([400, "VALIDATION", "application/problem+json"]);
    expect(answer.body.detail).toContain(sentence);
  });

  it("accepts questions sent as the JSON text of the array", async () => {
    const hub = await startHub();
    const id = await askOne(hub, { questions: JSON.stringify(ask.questions) });
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body.questions).toHaveLength(3);
  });

  it("cancels with a reason, extends, and accepts a reply after the deadline", async () => {
    const hub = await startHub();
    const cancelled = await askOne(hub);
    const { body } = await hub.call("POST", `/api/sessions/${cancelled}/cancel`, { as: "desk", body: { reason: "later" } });
    expect(body.outcome).toMatchObject({ kind: "cancelled", reason: "later" });

    const id = await askOne(hub, { ...ask, title: "another" });
    const extended = await hub.call("POST", `/api/sessions/${id}/extend`, { as: "desk", body: { timeout: 400_000 } });
    expect(extended.body.deadlineAt).toBe(hub.clock.now() + 400_000);
    expect((await hub.call("POST", `/api/sessions/${id}/reply`, { as: "desk", body: { answers } })).body.code).toBe("SESSION_PENDING");
    await hub.clock.advance(400_000);
    const replied = await hub.call("POST", `/api/sessions/${id}/reply`, { as: "desk", body: { answers } });
    expect(replied.body).toMatchObject({ status: "timed_out", outcome: { kind: "timedOut" }, reply: { by: { surface: "api" } } });
  });

  it("moves a deadline to a day from now at most, or removes it", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const extend = (timeout: number | null) => hub.call("POST", `/api/sessions/${id}/extend`, { as: "desk", body: { timeout } });
    expect((await extend(86_400_001)).status).toBe(400);
    expect((await extend(86_400_000)).body.deadlineAt).toBe(hub.clock.now() + 86_400_000);
    expect((await extend(null)).body.deadlineAt).toBeNull();
  });

  it("takes a body with a byte order mark", async () => {
    const hub = await startHub();
    expect((await hub.call("POST", "/api/sessions", { as: "asker", body: `\uFEFF${JSON.stringify(ask)}` })).status).toBe(201);
  });

  it("reports the code of each request that it refuses, before and after it finds a route", async () => {
    const refused: string[] = [];
    const hub = await startHub({ onRefused: (code) => refused.push(code) });
    await hub.call("POST", "/api/sessions", { as: "asker", body: { questions: [] } });
    await hub.call("GET", "/api/sessions/none", { as: "desk" });
    await hub.call("GET", "/api/sessions", {});
    await hub.call("GET", "/api/sessions", { as: "desk", headers: { host: "evil.example" } });
    await hub.call("GET", "/api/sessions", { as: "desk" });
    expect(refused).toEqual(["VALIDATION", "SESSION_NOT_FOUND", "UNAUTHORIZED", "FORBIDDEN"]);
  });

  it("answers 404 for what does not exist", async () => {
    const hub = await startHub();
    const missing = await hub.call("GET", "/api/sessions/0000000000", { as: "desk" });
    expect([missing.status, missing.body.code]).toEqual([404, "SESSION_NOT_FOUND"]);
    // A token for asking cannot tell whether the session is another's or doesn't exist.
    const guessed = await hub.call("GET", "/api/sessions/0000000000", { as: "asker" });
    expect([guessed.status, guessed.body.code]).toEqual([403, "FORBIDDEN"]);
    const nowhere = await hub.call("GET", "/nowhere");
    expect([nowhere.status, nowhere.body]).toEqual([
      404,
      { type: "about:blank", title: "Not Found", status: 404, detail: "There is nothing at GET /nowhere." },
    ]);
  });
});
