import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { type Received, startReceiver } from "./support/receiver.ts";
import { scene, until, webhook } from "./support/webhook-scene.ts";

const typesOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body).type);
const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers["webhook-id"]);

describe("a webhook", () => {
  it("gets an event when a session opens and when it settles, with the session as people see it", async () => {
    const receiver = await startReceiver();
    const { ask, answer } = await scene([webhook(`${receiver.url}/hook`, { inbox: "https://askbox.example/" })]);
    const id = await ask("Deploy?\u0007😀");
    await answer(id);
    await until(() => receiver.received.length === 2);
    const [opened, settled] = receiver.received.map(({ body }) => JSON.parse(body));
    expect(opened).toMatchObject({
      type: "session.opened",
      data: { session: { id, status: "pending", title: "Deploy?\u0007😀" }, url: `https://askbox.example/s/${id}` },
    });
    expect(opened.timestamp).toBe(new Date(opened.data.session.createdAt).toISOString());
    expect(settled).toMatchObject({
      type: "session.settled",
      data: { session: { id, status: "answered", outcome: { kind: "answered" } }, url: `https://askbox.example/history/${id}` },
    });
    expect(receiver.received[0]?.path).toBe("/hook");
  });

  it("gets each message of a session's thread under its own id, also after a restart", async () => {
    const receiver = await startReceiver();
    const target = webhook(receiver.url, { events: ["session.asked_back", "session.replied_back"], inbox: "https://askbox.example" });
    const { ask, asker, desk, startAgain, webhooks } = await scene([target]);
    const id = await ask();
    await desk.askBack(id, { text: "Why?" });
    await until(() => receiver.received.length === 1);
    await webhooks.close();
    await startAgain();
    await asker.resume(id, { reply: "Because.", maxWait: 0 });
    // Deliveries in progress when the webhooks were closed are repeated.
    await until(() => new Set(idsOf(receiver.received)).size === 2);
    const url = `https://askbox.example/s/${id}`;
    const byId = new Map(receiver.received.map(({ headers, body }) => [headers["webhook-id"], JSON.parse(body)]));
    expect([...byId.values()]).toMatchObject([
      { type: "session.asked_back", data: { session: { id, status: "pending" }, message: { text: "Why?", by: { surface: "cli" } }, url } },
      { type: "session.replied_back", data: { session: { id }, message: { text: "Because.", by: { surface: "asker" } }, url } },
    ]);
  });

  // promise: webhook-receiver-only-reads
  it.each(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "a plain secret of some length"])(
    "is signed with %s as Standard Webhooks has it, so that its own library verifies it",
    async (secret) => {
      const receiver = await startReceiver();
      // The library checks that the request is recent, but the scene's clock is stopped.
      const { ask, clock } = await scene([webhook(receiver.url, { secret })]);
      clock.jumpWall(Date.now() - clock.now());
      await ask();
      await until(() => receiver.received.length === 1);
      const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
      const verifier = secret.startsWith("whsec_") ? new Webhook(secret) : new Webhook(secret, { format: "raw" });
      const shown = headers as Record<string, string>;
      expect(verifier.verify(body, shown)).toMatchObject({ type: "session.opened" });
      expect(() => verifier.verify(`${body} `, shown)).toThrow();
    },
  );

  // promise: nothing-leaves
  it("omits everything an agent or a person wrote when text is off", async () => {
    const receiver = await startReceiver();
    const { ask, answer } = await scene([webhook(receiver.url, { text: false })]);
    await answer(await ask("A secret plan"));
    await until(() => receiver.received.length === 2);
    for (const { body } of receiver.received) expect(body).not.toMatch(/secret plan|"answers"|"question":/);
    expect(JSON.parse(receiver.received[1]?.body ?? "").data.session).toMatchObject({ status: "answered", outcome: { kind: "answered" } });
  });

  it("receives only the event types, project and agent it subscribed to", async () => {
    const receiver = await startReceiver();
    const { ask, answer } = await scene([
      webhook(`${receiver.url}/settled`, { events: ["session.settled"] }),
      webhook(`${receiver.url}/project`, { project: "/home/ada/engine" }),
      webhook(`${receiver.url}/agent`, { agentId: "builder" }),
    ]);
    const id = await ask("one", { project: "/home/ada/engine" });
    await ask("two", { project: "/elsewhere", agentId: "builder" });
    await answer(id);
    await until(() => receiver.received.length === 4);
    expect(receiver.received.map(({ path, body }) => `${path} ${JSON.parse(body).type}`).sort()).toEqual([
      "/agent session.opened",
      "/project session.opened",
      "/project session.settled",
      "/settled session.settled",
    ]);
  });

  it("is retried with growing delays, under the same id, and later events of the session wait for it", async () => {
    const receiver = await startReceiver();
    receiver.answers.push({ status: 500 }, { status: 503 }, { status: 200 });
    const { ask, answer, clock, webhooks } = await scene([webhook(receiver.url)]);
    const id = await ask();
    await until(() => webhooks.status()[0]?.trouble === "it answered 500");
    await answer(id);
    await clock.advance(5_000);
    await until(() => webhooks.status()[0]?.trouble === "it answered 503");
    await clock.advance(29_999);
    expect(receiver.received).toHaveLength(2);
    await clock.advance(1);
    await until(() => receiver.received.length === 4);
    expect(typesOf(receiver.received)).toEqual(["session.opened", "session.opened", "session.opened", "session.settled"]);
    expect(new Set(idsOf(receiver.received)).size).toBe(2);
    await until(() => webhooks.status()[0]?.delivered === 2);
    expect(webhooks.status()[0]).toMatchObject({ delivered: 2, waiting: 0, failed: 0 });
    expect(webhooks.status()[0]).not.toHaveProperty("trouble");
  });

  it("is not called for as long as its Retry-After says", async () => {
    const receiver = await startReceiver();
    receiver.answers.push({ status: 429, headers: { "retry-after": "60" } });
    const { ask, clock, webhooks } = await scene([webhook(receiver.url)]);
    await ask();
    await until(() => webhooks.status()[0]?.trouble !== undefined);
    await clock.advance(59_999);
    expect(receiver.received).toHaveLength(1);
    await clock.advance(1);
    await until(() => receiver.received.length === 2);
  });

  it("is dropped, with one line in the log, after nine attempts or at once on a permanent error", async () => {
    const receiver = await startReceiver();
    const { ask, clock, webhooks, log } = await scene([webhook(receiver.url, { events: ["session.opened"] })]);
    const retries = () => log.filter(({ message }) => message === "A webhook will be tried again").length;
    receiver.answers.push({ status: 410 });
    await ask();
    await until(() => webhooks.status()[0]?.failed === 1);
    receiver.answers.push(...Array.from({ length: 9 }, () => ({ status: 500 })));
    await ask();
    for (const [attempt, seconds] of [5, 30, 120, 600, 1_800, 7_200, 14_400, 28_800].entries()) {
      await until(() => retries() === attempt + 1);
      await clock.advance(seconds * 1_000);
    }
    await until(() => webhooks.status()[0]?.failed === 2);
    expect(receiver.received).toHaveLength(10);
    expect(log.filter(({ level }) => level === "warn")).toHaveLength(2);
  });

  // promise: webhook-receiver-only-reads
  it("never follows a redirect", async () => {
    const receiver = await startReceiver();
    const elsewhere = await startReceiver();
    receiver.answers.push({ status: 307, headers: { location: elsewhere.url } });
    const { ask, webhooks } = await scene([webhook(receiver.url)]);
    await ask();
    await until(() => webhooks.status()[0]?.failed === 1);
    expect(elsewhere.received).toEqual([]);
  });

  it("does not delay anything if it hangs: the answer counts, others are notified, and after 15 s it counts as failed", async () => {
    const receiver = await startReceiver();
    const hanging = Promise.withResolvers<void>();
    receiver.answers.push({ status: 200, after: hanging.promise });
    const { ask, answer, clock, webhooks } = await scene([webhook(receiver.url)]);
    const id = await ask("one");
    await until(() => receiver.received.length === 1);
    await answer(id);
    await ask("two");
    await until(() => receiver.received.length === 2);
    await clock.advance(15_000);
    await until(() => webhooks.status()[0]?.trouble === "it did not answer in 15 s");
    hanging.resolve();
  });

  it("logs the cause if it cannot be reached, and little of a URL that may be a secret", async () => {
    const receiver = await startReceiver();
    const { ask, webhooks } = await scene([webhook(receiver.url.replace(/\d+$/, "9/services/T000/SECRET?key=1"))]);
    await ask();
    await until(() => webhooks.status()[0]?.trouble !== undefined);
    expect(webhooks.status()[0]?.trouble).toMatch(/ECONNREFUSED|bad port/);
    expect(JSON.stringify(webhooks.status())).not.toMatch(/SECRET|T000|key/);
  });
});
