import { expect, it } from "vitest";
import type { Target } from "../src/index.ts";
import { startReceiver } from "./support/receiver.ts";
import { scene, until } from "./support/webhook-scene.ts";

const topic = (url: string, rest: Partial<Target> = {}): Target =>
  ({ kind: "ntfy", url: `${url}/my-topic`, events: ["session.opened"], text: true, ...rest }) as Target;

it("pushes who asks what to the topic, with a link to the question, in any script", async () => {
  const receiver = await startReceiver();
  const target = topic(receiver.url, { token: "tk_1", priority: 4, inbox: "https://askbox.example" } as Partial<Target>);
  const { ask } = await scene([target]);
  const id = await ask("Größe?\r\n\u001b[31mX-Evil: 1 😀", { client: { name: "Claude Code" }, project: "/home/ada/engine" });
  await until(() => receiver.received.length === 1);
  const [{ path, headers, body } = { path: "", headers: {}, body: "{}" }] = receiver.received;
  expect(path).toBe("/");
  expect(headers).toMatchObject({ authorization: "Bearer tk_1" });
  expect(JSON.parse(body)).toEqual({
    topic: "my-topic",
    title: "askbox: Claude Code in engine",
    message: expect.stringMatching(/^Größe\? X-Evil: 1 😀/),
    tags: ["question"],
    priority: 4,
    click: `https://askbox.example/s/${id}`,
  });
});

it("pushes the outcome if configured, and no text if that is off", async () => {
  const receiver = await startReceiver();
  const { ask, answer } = await scene([topic(receiver.url, { events: ["session.settled"], text: false })]);
  await answer(await ask("A secret plan"));
  await until(() => receiver.received.length === 1);
  const { message } = JSON.parse(receiver.received[0]?.body ?? "{}");
  expect(message).toBe("Answered.");
});
