import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test } from "vitest";
import { scene, target } from "./support/scene.ts";

const inbox = "https://askbox.example/";

describe("a webhook", () => {
  test("gets an event when a session opens and when it settles, with the session as people see it", async () => {
    const { ask, answer, settled, bodies, received } = await scene({ targets: [target({ inbox })] });
    const title = "Deploy?\u0007😀";
    const id = await ask({ title });
    await settled();
    await answer(id);
    await settled();
    const [opened, closed] = bodies();
    expect(opened).toMatchObject({
      type: "session.opened",
      data: { session: { id, status: "pending", title }, url: `${inbox}s/${id}` },
    });
    expect(opened.timestamp).toBe(new Date(opened.data.session.createdAt).toISOString());
    expect(closed).toMatchObject({
      type: "session.settled",
      data: { session: { id, status: "answered", outcome: { kind: "answered" } }, url: `${inbox}history/${id}` },
    });
    expect(received[0]?.url).toBe("https://receiver.example/hook");
  });

  // promise: webhook-receiver-only-reads
  test.each(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "a plain secret of some length"])(
    "is signed with %s as Standard Webhooks has it, so that its own library verifies it",
    async (secret) => {
      // The library checks that the request is recent, but the scene's clock is stopped.
      const { ask, clock, received, settled } = await scene({ targets: [target({ secret })] });
      clock.jumpWall(Date.now() - clock.now());
      await ask();
      await settled();
      const [{ headers, body } = { headers: {}, body: "" }] = received;
      const verifier = secret.startsWith("whsec_") ? new Webhook(secret) : new Webhook(secret, { format: "raw" });
      expect(verifier.verify(body, headers)).toMatchObject({ type: "session.opened" });
      expect(() => verifier.verify(`${body} `, headers)).toThrow();
    },
  );

  // promise: nothing-leaves
  test("gets the outcome, but no text or answers, when text is off", async () => {
    const { ask, answer, settled, bodies } = await scene({ targets: [target({ text: false })] });
    await answer(await ask({ title: "A secret plan" }));
    await settled();
    expect(JSON.stringify(bodies())).not.toMatch(/secret plan|"answers"|"question":/);
    expect(bodies().at(-1).data.session).toMatchObject({ status: "answered", outcome: { kind: "answered" } });
  });

  test("receives only the event types, project, agent and machine it subscribed to", async () => {
    const targets = [
      target({ url: "https://a.example/settled", events: ["session.settled"] }),
      target({ url: "https://a.example/project", project: "/home/ada/engine" }),
      target({ url: "https://a.example/agent", agentId: "builder" }),
      target({ url: "https://a.example/machine", machine: "build-7" }),
    ];
    const { ask, answer, settled, received } = await scene({ targets });
    const id = await ask();
    await ask({}, { project: "/elsewhere", agentId: "builder", machine: "build-7" });
    await answer(id);
    await settled();
    expect(received.map(({ url, body }) => `${new URL(url).pathname} ${JSON.parse(body).type}`).sort()).toEqual([
      "/agent session.opened",
      "/machine session.opened",
      "/project session.opened",
      "/project session.settled",
      "/settled session.settled",
    ]);
  });

  // promise: webhook-receiver-only-reads
  test("never follows a redirect", async () => {
    const paths: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close().closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const { ask, notify } = await scene({ targets: [target({ url })], remote: { fetch: globalThis.fetch } });
    await ask();
    await expect.poll(() => notify.status()[0]?.failed).toBe(1);
    expect(paths).toEqual(["/hook"]);
  });

  test("logs the cause if it cannot be reached, and little of a URL that may be a secret", async () => {
    const url = "http://127.0.0.1:9/services/T000/SECRET?key=1";
    const { ask, notify } = await scene({ targets: [target({ url })], remote: { fetch: globalThis.fetch } });
    await ask();
    await expect.poll(() => notify.status()[0]?.trouble).toMatch(/ECONNREFUSED|bad port/);
    expect(notify.status()[0]).toMatchObject({ url: "http://127.0.0.1:9/ser…", kind: "webhook" });
  });
});

describe("ntfy", () => {
  test("pushes who asks what to the topic, with a link to the question, in any script", async () => {
    const ntfy = target({
      kind: "ntfy",
      url: "https://ntfy.example/my-topic",
      events: ["session.opened"],
      token: "tk_1",
      after: 0,
      priority: 4,
      inbox,
    });
    const { ask, received, settled, bodies } = await scene({ targets: [ntfy] });
    const id = await ask({ title: "Größe?\r\n\u001b[31mX-Evil: 1 😀" });
    await settled();
    expect(received).toMatchObject([{ url: "https://ntfy.example/", headers: { authorization: "Bearer tk_1" } }]);
    expect(bodies()).toEqual([
      {
        topic: "my-topic",
        sequence_id: id,
        title: "askbox: Claude Code in engine (main)",
        message: "Größe? X-Evil: 1 😀 (4 questions)\nWhat should the new module be called?",
        tags: ["question"],
        priority: 4,
        click: `${inbox}s/${id}`,
      },
    ]);
  });

  test.each([
    [true, "The agent was asked back: Why?", "The agent has replied: Because.", "Answered on the command line: Name (4 questions)"],
    [false, "The agent was asked back.", "The agent has replied.", "Answered on the command line."],
  ])("pushes messages and the outcome if configured; with text %s: %s", async (text, ...messages) => {
    const events = ["session.asked_back", "session.replied_back", "session.settled"] as const;
    const { ask, answer, asker, desk, bodies, settled } = await scene({
      targets: [target({ kind: "ntfy", url: "https://ntfy.example/my-topic", events, text, after: 0 })],
    });
    const id = await ask({ title: "Name" });
    await desk.askBack(id, { text: "Why?" });
    await asker.resume(id, { reply: "Because\u202E.\n", maxWait: 0 });
    await settled();
    await answer(id);
    await settled();
    expect(bodies().map(({ message }) => message)).toEqual(messages);
  });
});
