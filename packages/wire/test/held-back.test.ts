import { type Channel, channelPair } from "@askbox/wire";
import { expect, test } from "vitest";
import { askerHello, deskHello, drive, pairClient, relay, testHub, welcomedPeer } from "./support.ts";

const request = { questions: [{ id: "sure", type: "confirm" as const, question: "Sure?" }] };

/** A hub with a question, and a desk's client whose channels pass through `through`. */
async function asked(through?: (channel: Channel) => Channel) {
  const hub = await testHub();
  const asker = pairClient(hub, askerHello());
  const opened = Promise.withResolvers<string>();
  const { parseAsk } = await import("@askbox/core");
  const parsed = parseAsk(request, { ids: hub.options.ids });
  asker.asker.ask(parsed, { asker: { client: { name: "x" } }, onOpened: ({ session }) => opened.resolve(session.id) }).catch(() => {});
  const id = await drive(hub.clock, opened.promise);
  const { desk } = pairClient(hub, deskHello(), { through });
  return { hub, desk, id };
}

/** The channel to a hub that doesn't say what it can hold back. */
function toOlderHub(channel: Channel): Channel {
  const [near, inner] = channelPair();
  inner.onMessage(channel.send);
  inner.onClose(() => channel.close());
  channel.onClose(() => inner.close());
  channel.onMessage((text) => {
    const { welcome, ...message } = JSON.parse(text);
    inner.send(JSON.stringify(welcome === undefined ? message : { welcome: { ...welcome, holds: undefined } }));
  });
  return near;
}

test("a desk is told what the hub holds back, and an asker isn't", async () => {
  const hub = await testHub();
  const [desk, asker] = [await welcomedPeer(hub, deskHello()), await welcomedPeer(hub, askerHello())];
  expect(desk.frames[0]).toMatchObject({ welcome: { holds: ["answer", "cancel"] } });
  expect(asker.frames[0]?.["welcome"]).not.toHaveProperty("holds");
});

test("a decline that is held back when the connection breaks is sent, though its page is closed", async () => {
  let cut = () => {};
  const { hub, desk, id } = await asked((channel) => {
    const made = relay(channel);
    cut = made.cut;
    return made.near;
  });
  await drive(hub.clock, desk.cancel(id, { reason: "no", delay: 5_000 }));
  cut();
  await hub.clock.advance(4_900);
  const there = hub.broker().desk({ surface: "api" });
  expect((await there.get(id)).scheduled).toMatchObject({ decline: { reason: "no" } });
  await hub.clock.advance(5_000);
  expect((await there.get(id)).outcome).toMatchObject({ kind: "cancelled", reason: "no", by: { surface: "terminal" } });
});

test("a decline that is held back when the hub is restarted is sent by the next one, and can be undone there", async () => {
  const { hub, desk, id } = await asked();
  await drive(hub.clock, desk.cancel(id, { delay: 5_000 }));
  await hub.restart();
  const there = hub.broker().desk({ surface: "api" });
  expect((await there.get(id)).scheduled).toMatchObject({ decline: {} });
  await drive(hub.clock, desk.recall(id));
  await drive(hub.clock, desk.cancel(id, { reason: "still no", delay: 5_000 }));
  await hub.restart();
  await hub.clock.advance(5_000);
  expect((await hub.broker().desk({ surface: "api" }).get(id)).outcome).toMatchObject({ kind: "cancelled", reason: "still no" });
});

test("an older hub, which would decline at once, is not sent a decline with a delay", async () => {
  const { hub, desk, id } = await asked(toOlderHub);
  await expect(drive(hub.clock, desk.cancel(id, { delay: 5_000 }))).rejects.toMatchObject({
    code: "PROTOCOL_MISMATCH",
    message: "This hub is older and cannot hold back what cancel does. Update it, or leave out the delay.",
  });
  expect((await drive(hub.clock, desk.get(id))).status).toBe("pending");
  const answer = { answers: [{ questionId: "sure", values: ["yes"] }] };
  expect((await drive(hub.clock, desk.answer(id, answer, { delay: 5_000 }))).scheduled).toBeDefined();
  await drive(hub.clock, desk.recall(id));
  expect((await drive(hub.clock, desk.cancel(id))).status).toBe("cancelled");
});
