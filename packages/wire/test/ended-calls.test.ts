import { anAsk, anAsker, validSet } from "@askbox/core/testing";
import type { ToolCallEnd } from "@askbox/wire";
import { expect, test } from "vitest";
import { askerHello, drive, pairClient, testHub } from "./support.ts";

const end: ToolCallEnd = { tool: "ask_user", status: "ok" };

async function anAgent() {
  const counted: ToolCallEnd[] = [];
  const sent: string[] = [];
  const hub = await testHub();
  hub.options = { ...hub.options, control: { ...hub.options.control, called: (each) => void counted.push(each) } };
  const client = pairClient(hub, askerHello(), {
    through: (near) => ({
      ...near,
      send(text) {
        const { method } = JSON.parse(text) as { method?: string };
        if (method !== undefined) sent.push(method);
        near.send(text);
      },
    }),
  });
  await drive(hub.clock, client.ready());
  return { hub, client, counted, sent };
}

test("an answered ask takes two requests: its call's end goes with the acknowledgement of its result", async () => {
  const { hub, client, counted, sent } = await anAgent();
  const asked = client.asker.ask(anAsk(), {
    asker: anAsker(),
    onOpened: ({ session }) => void hub.broker().desk({ surface: "web" }).answer(session.id, validSet()),
  });
  const { ack } = await drive(hub.clock, asked);
  client.called(end);
  await drive(hub.clock, ack({ callId: "call-1" }));
  await hub.clock.advance(10_000);
  expect([sent, counted]).toEqual([["ask", "ack"], [end]]);
});

test("a call that ends without an acknowledgement is reported after a second, and at once when the client closes", async () => {
  const { hub, client, counted, sent } = await anAgent();
  client.called({ ...end, status: "aborted" });
  await hub.clock.advance(999);
  expect(sent).toEqual([]);
  await hub.clock.advance(1);
  client.called(end);
  client.close();
  await hub.clock.advance(0);
  expect([sent, counted]).toEqual([
    ["called", "called"],
    [{ ...end, status: "aborted" }, end],
  ]);
});
