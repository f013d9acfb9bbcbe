import { once } from "node:events";
import type { LookupFunction } from "node:net";
import { type AddressInfo, createServer } from "node:net";
import { fakeClock } from "@askbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { post } from "../../src/channels/post.ts";
import { publicFetch } from "../../src/push/subscription.ts";

/** Somebody on this machine who would notice a connection. */
async function listener() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** Names lead to these addresses, one list each time. */
const leadsTo = (...lists: readonly string[][]): LookupFunction => {
  const left = [...lists];
  return (_name, _options, done) => {
    const addresses = (left.shift() ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    process.nextTick(() => done(null, addresses));
  };
};

const send = (url: string, fetch: ReturnType<typeof publicFetch>) =>
  post({ url, headers: {}, body: "x" }, fakeClock(), fetch, new AbortController().signal);
const inside = { ok: false, why: "its name leads to this machine or its network", isFinal: false };

// promise: push-only-outside
test.each([[["127.0.0.1"]], [["::1", "10.0.0.1"]], [["169.254.169.254"]], [["::ffff:127.0.0.1"]]])(
  "a push goes to no name that leads to %j",
  async (addresses) => {
    const { port, connections } = await listener();
    expect(await send(`https://push.example:${port}/x`, publicFetch({ lookup: leadsTo(addresses) }))).toEqual(inside);
    expect(connections()).toBe(0);
  },
);

// promise: push-only-outside
test("a name is looked up once, and its address is the one that is checked and connected to", async () => {
  const { port, connections } = await listener();
  const asked: string[] = [];
  // 127.0.0.1 stands for an address outside, and 127.0.0.9 for one inside.
  const isInside = (address: string) => {
    asked.push(address);
    return address === "127.0.0.9";
  };
  const lookup = leadsTo(["127.0.0.9", "127.0.0.1"], ["127.0.0.9"]);
  const fetch = publicFetch({ lookup, isInside });
  expect(await send(`https://push.example:${port}/x`, fetch)).toMatchObject({ ok: false, why: expect.not.stringContaining("leads") });
  expect([connections(), asked]).toEqual([1, ["127.0.0.9", "127.0.0.1"]]);
  expect(await send(`https://push.example:${port}/x`, fetch)).toEqual(inside);
  expect(connections()).toBe(1);
});

test("a subscription of an earlier version that names an address inside gets no push", async () => {
  const { port, connections } = await listener();
  expect(await send(`https://127.0.0.1:${port}/x`, publicFetch())).toMatchObject({
    why: "its address leads to this machine or its network",
  });
  expect(connections()).toBe(0);
});
